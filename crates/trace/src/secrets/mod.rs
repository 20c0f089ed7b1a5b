//! The secrets of a call: texts that are masked in every event, trace, message and piece of evidence.
//!
//! The value that a call returns belongs to its caller and is not masked.

mod guises;
mod masked;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{PoisonError, RwLock};

use actions_protocol::limits;
use serde_json::Value;

pub use masked::{Maskable, Masked};

/// What replaces a secret.
const MASK: &str = "[secret]";

/// Every text of a call that must not be shown.
#[derive(Default)]
pub struct Secrets {
    /// The texts by length, the longest first: a shorter one may be a part of it.
    texts: RwLock<BTreeMap<Reverse<usize>, BTreeSet<String>>>,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // An outcome that is written to a log must not contain the texts.
        f.debug_struct("Secrets").finish_non_exhaustive()
    }
}

impl Secrets {
    /// Every text that is masked: the secrets, and the forms in which a page or an address may repeat them.
    pub fn texts(&self) -> Vec<String> {
        self.texts.read().unwrap_or_else(PoisonError::into_inner).values().flatten().cloned().collect()
    }

    /// Makes every text and number of a value secret.
    pub fn learn(&self, value: &Value) {
        self.learn_except(value, &BTreeSet::new());
    }

    /// Follows a value that an expression computed from others. If any of them contains a secret, everything in the
    /// value that is new is secret too: everything that neither an open source nor the expression itself says.
    pub fn follow(&self, sources: &[&Value], expression: &str, value: &Value) {
        if !sources.iter().any(|source| self.occur_in(source)) {
            return;
        }
        let mut open = BTreeSet::new();
        sources.iter().for_each(|source| self.collect_open(source, &mut open));
        for_each_leaf(value, &mut |leaf| {
            if expression.contains(leaf) {
                open.insert(leaf.to_owned());
            }
        });
        self.learn_except(value, &open);
        // What stands between the literals of the expression was computed from secrets; a page may show it alone.
        let literals = literals(expression);
        for_each_leaf(value, &mut |leaf| {
            if !open.contains(leaf) {
                pieces(leaf, &literals).for_each(|piece| self.learn_except(&Value::from(piece), &open));
            }
        });
    }

    /// Whether a value contains a secret.
    pub fn occur_in(&self, value: &Value) -> bool {
        !self.is_empty() && self.masked_value(value) != *value
    }

    /// Masks every secret in a copy of the data.
    pub fn mask<T: Maskable + ?Sized>(&self, data: &T) -> Masked<T::Owned> {
        Masked::new(data.masked(self))
    }

    fn is_empty(&self) -> bool {
        self.texts.read().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Collects the texts of a value that contain no secret.
    fn collect_open(&self, value: &Value, open: &mut BTreeSet<String>) {
        for_each_leaf(value, &mut |leaf| {
            if self.masked_text(leaf) == leaf {
                open.insert(leaf.to_owned());
            }
        });
    }

    /// Makes every text and number of a value secret, except those that are known to be open.
    fn learn_except(&self, value: &Value, open: &BTreeSet<String>) {
        let mut texts = self.texts.write().unwrap_or_else(PoisonError::into_inner);
        for_each_leaf(value, &mut |leaf| {
            if leaf.trim().is_empty() || open.contains(leaf) {
                return;
            }
            for guise in guises::guises(leaf) {
                texts.entry(Reverse(guise.len())).or_default().insert(guise);
            }
        });
    }

    pub(crate) fn masked_value(&self, value: &Value) -> Value {
        if self.is_empty() {
            return value.clone();
        }
        match value {
            Value::String(text) => Value::String(self.masked_text(text)),
            Value::Number(number) if self.masked_text(&number.to_string()) != number.to_string() => {
                Value::String(MASK.to_owned())
            }
            Value::Array(items) => items.iter().map(|item| self.masked_value(item)).collect(),
            Value::Object(members) => Value::Object(members.masked(self)),
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    pub(crate) fn masked_text(&self, text: &str) -> String {
        let texts = self.texts.read().unwrap_or_else(PoisonError::into_inner);
        // Plain parts, with a gap for every secret: a mask itself is never searched for secrets.
        let mut parts = vec![Some(text)];
        for secret in texts.values().flatten().filter(|secret| text.contains(secret.as_str())) {
            parts = parts.into_iter().flat_map(|part| split_at_secret(part, secret)).collect();
        }
        parts.into_iter().map(|part| part.unwrap_or(MASK)).collect()
    }
}

/// A part of a text with a gap for every occurrence of a secret. A short secret occurs only where no letter or digit
/// stands beside it.
fn split_at_secret<'t>(part: Option<&'t str>, secret: &str) -> Vec<Option<&'t str>> {
    let Some(plain) = part else { return vec![None] };
    let short = secret.chars().count() < limits::SHORT_SECRET;
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, _) in plain.match_indices(secret) {
        let (before, after) = (&plain[..at], &plain[at + secret.len()..]);
        let beside = [before.chars().next_back(), after.chars().next()];
        if short && beside.into_iter().flatten().any(char::is_alphanumeric) {
            continue;
        }
        parts.extend([Some(&plain[start..at]), None]);
        start = at + secret.len();
    }
    parts.push(Some(&plain[start..]));
    parts
}

/// The texts between quotes in an expression, the longest first: a shorter one may be a part of it.
fn literals(expression: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = expression;
    while let Some(at) = rest.find(['\'', '"']) {
        let (quote, after) = rest[at..].split_at(1);
        let Some(end) = after.find(quote) else { break };
        found.push(&after[..end]);
        rest = &after[end + 1..];
    }
    found.retain(|literal| !literal.is_empty());
    found.sort_by_key(|literal| Reverse(literal.len()));
    found
}

/// What is left of a text without the literals; nothing if it contains none of them.
fn pieces<'t>(text: &'t str, literals: &[&str]) -> impl Iterator<Item = &'t str> {
    let mut pieces = vec![text];
    for literal in literals {
        pieces = pieces.into_iter().flat_map(|piece| piece.split(literal)).collect();
    }
    let whole = pieces.len() == 1;
    pieces.into_iter().filter(move |piece| !whole && !piece.is_empty())
}

/// Calls `visit` with every text and number in a value.
fn for_each_leaf(value: &Value, visit: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => visit(text),
        Value::Number(number) => visit(&number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| for_each_leaf(item, visit)),
        Value::Object(members) => members.values().for_each(|member| for_each_leaf(member, visit)),
        Value::Null | Value::Bool(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn knowing(secrets: &[Value]) -> Secrets {
        let known = Secrets::default();
        secrets.iter().for_each(|secret| known.learn(secret));
        known
    }

    #[test]
    fn a_mask_is_not_searched_for_secrets_and_a_number_is_masked_whole() {
        let secrets = knowing(&[json!("secret"), json!(12_345_678), json!("ecre")]);
        assert_eq!(*secrets.mask(&json!(12_345_678)), json!(MASK));
        assert_eq!(*secrets.mask(&json!(9_123_456_780_u64)), json!(MASK), "a part of it says as much");
        assert_eq!(*secrets.mask("12345678 secret"), "[secret] [secret]");
    }

    #[test]
    fn secrets_are_masked_in_texts_keys_and_lists() {
        let masked = knowing(&[json!("hunter22"), json!("7")]).mask(
            &json!({ "args": ["x hunter22 y", { "hunter22": "ada" }], "pin": "7", "n": "17", "said": "(7)" }),
        );
        assert_eq!(
            *masked,
            json!({ "args": ["x [secret] y", { "[secret]": "ada" }], "pin": "[secret]", "n": "17", "said": "([secret])" })
        );
    }

    #[test]
    fn an_address_does_not_show_a_secret() {
        let secrets = knowing(&[json!("a b/c?")]);
        let masked = secrets.mask("https://x.example/?code=a+b%2Fc%3F");
        assert_eq!(*masked, "https://x.example/?code=[secret]");
    }
}
