//! The secrets of a call: texts that are masked in every event, trace, message and piece of evidence.
//!
//! The value that a call returns belongs to its caller and is not masked.

mod entity;
mod finder;
mod masked;
mod packed;
mod reading;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError, RwLock};

use actions_protocol::limits;
use serde_json::Value;

pub use finder::{Finder, Sought};
pub use masked::{Maskable, Masked};

/// What replaces a secret.
const MASK: &str = "[secret]";

/// Every text of a call that must not be shown.
#[derive(Default)]
pub struct Secrets {
    known: RwLock<Known>,
}

#[derive(Default)]
struct Known {
    texts: BTreeSet<String>,
    bytes: usize,
    /// Whether there are too many texts to look for: then everything is masked.
    everything: bool,
    /// Finds the texts; made when it is first needed after one was learned.
    finder: Option<Arc<Finder>>,
}

impl Known {
    fn add(&mut self, text: &str) {
        if self.everything || self.texts.contains(text) {
            return;
        }
        self.bytes += text.len();
        if self.texts.len() >= limits::SECRETS || !limits::SECRET_BYTES.allows(self.bytes) {
            self.everything = true;
            return;
        }
        self.finder = None;
        self.texts.insert(text.to_owned());
    }
}

/// How a secret text is found and what replaces it.
pub fn sought(text: String) -> Sought {
    let whole = text.chars().count() < limits::SHORT_SECRET;
    Sought { text, by: MASK.to_owned(), whole, changed: true }
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // An outcome that is written to a log must not contain the texts.
        f.debug_struct("Secrets").finish_non_exhaustive()
    }
}

impl Secrets {
    /// Every text that is masked. Each is also masked in the forms in which a page or an address may repeat it. `None` if
    /// everything is masked.
    pub fn texts(&self) -> Option<Vec<String>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        (!known.everything).then(|| known.texts.iter().cloned().collect())
    }

    /// Masks every text and number from now on: there is too much to say which of them are secret.
    pub fn learn_everything(&self) {
        self.known.write().unwrap_or_else(PoisonError::into_inner).everything = true;
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
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.texts.is_empty() && !known.everything
    }

    /// What finds the texts; `None` if everything is masked.
    fn finder(&self) -> Option<Arc<Finder>> {
        {
            let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
            if known.everything {
                return None;
            }
            if let Some(finder) = &known.finder {
                return Some(Arc::clone(finder));
            }
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let finder = Arc::new(Finder::of(known.texts.iter().cloned().map(sought)));
        known.finder = Some(Arc::clone(&finder));
        (!known.everything).then_some(finder)
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
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        for_each_leaf(value, &mut |leaf| {
            if !leaf.trim().is_empty() && !open.contains(leaf) {
                known.add(leaf);
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
        match self.finder() {
            Some(finder) => finder.in_text(text).into_owned(),
            None => MASK.to_owned(),
        }
    }
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
    fn more_secrets_than_can_be_looked_for_mask_everything() {
        let many: Vec<Value> = (0..limits::SECRETS + 1).map(|n| json!(format!("secret {n}"))).collect();
        let masked = knowing(&many).mask(&json!({ "a": "open", "n": 7, "ok": true }));
        assert_eq!(*masked, json!({ "[secret]": true }));
        assert_eq!(*knowing(&many[1..]).mask("open"), *"open");
    }

    #[test]
    fn an_address_does_not_show_a_secret() {
        let secrets = knowing(&[json!("a b/c?")]);
        let masked = secrets.mask("https://x.example/?code=a+b%2Fc%3F");
        assert_eq!(*masked, "https://x.example/?code=[secret]");
    }
}
