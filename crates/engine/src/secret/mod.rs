//! Secrets of a call: known by the input schema, followed through expressions, taken out of everything that is told.
//!
//! What a call returns belongs to its caller and is not changed. Events, traces, evidence and messages are: a secret is
//! masked in them whether the engine put it there or the page gave it back.

mod guises;
mod marked;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{PoisonError, RwLock};

use actions_expr::Expression;
use serde_json::{Map, Value};

/// What stands where a secret stood.
const MASK: &str = "[secret]";

/// A secret shorter than this is masked only where it stands as a word of its own: it would be found everywhere.
const SHORT: usize = 4;

/// Every text of a call that must not be told.
#[derive(Default)]
pub struct Secrets {
    /// Each text with its length, the longest first: a shorter one may be a part of it.
    texts: RwLock<BTreeMap<std::cmp::Reverse<usize>, BTreeSet<String>>>,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Whoever writes an outcome to a log must not write these.
        f.debug_struct("Secrets").finish_non_exhaustive()
    }
}

impl Secrets {
    /// The secrets of an input.
    pub(crate) fn of(schema: &Map<String, Value>, input: &Value) -> Self {
        let secrets = Self::default();
        secrets.add(schema, input);
        secrets
    }

    /// Adds the secrets of a further input: that of a call within a call.
    pub(crate) fn add(&self, schema: &Map<String, Value>, input: &Value) {
        marked::marked(schema, input).into_iter().for_each(|value| self.learn(value, &BTreeSet::new()));
    }

    /// Every text that must not be told.
    pub fn texts(&self) -> Vec<String> {
        self.texts.read().unwrap_or_else(PoisonError::into_inner).values().flatten().cloned().collect()
    }

    fn is_empty(&self) -> bool {
        self.texts.read().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Whether anything that an expression reads holds a secret.
    pub(crate) fn are_read_by(&self, expression: &Expression, scope: &Value) -> bool {
        !self.is_empty() && sources(expression, scope).iter().any(|source| self.mask(source) != **source)
    }

    /// Follows a value an expression has made: if anything the expression read holds a secret, what is new in the value
    /// is secret too.
    pub(crate) fn follow(&self, expression: &Expression, scope: &Value, value: &Value) {
        if !self.are_read_by(expression, scope) {
            return;
        }
        let mut open = BTreeSet::new();
        sources(expression, scope).iter().for_each(|source| self.open(source, &mut open));
        let source_text = expression.source();
        leaves(value, &mut |leaf| {
            if source_text.contains(leaf) {
                open.insert(leaf.to_owned());
            }
        });
        self.learn(value, &open);
        // Between what the expression itself says stands what it made of the secrets; a page may take it apart again.
        let said = literals(source_text);
        leaves(value, &mut |leaf| {
            if !open.contains(leaf) {
                pieces(leaf, &said).for_each(|piece| self.learn(&Value::from(piece), &open));
            }
        });
    }

    /// Collects the texts of a value that hold no secret.
    fn open(&self, value: &Value, open: &mut BTreeSet<String>) {
        leaves(value, &mut |leaf| {
            if self.mask_text(leaf) == leaf {
                open.insert(leaf.to_owned());
            }
        });
    }

    /// Makes every text and number of a value secret, except those that are known to be open.
    fn learn(&self, value: &Value, open: &BTreeSet<String>) {
        let mut texts = self.texts.write().unwrap_or_else(PoisonError::into_inner);
        leaves(value, &mut |leaf| {
            if leaf.trim().is_empty() || open.contains(leaf) {
                return;
            }
            for guise in guises::guises(leaf) {
                texts.entry(std::cmp::Reverse(guise.len())).or_default().insert(guise);
            }
        });
    }

    /// The value with every secret masked.
    pub fn mask(&self, value: &Value) -> Value {
        if self.is_empty() {
            return value.clone();
        }
        match value {
            Value::String(text) => Value::String(self.mask_text(text)),
            Value::Number(number) if self.mask_text(&number.to_string()) != number.to_string() => {
                Value::String(MASK.to_owned())
            }
            Value::Array(items) => items.iter().map(|item| self.mask(item)).collect(),
            Value::Object(members) => Value::Object(
                members.iter().map(|(key, member)| (self.mask_text(key), self.mask(member))).collect(),
            ),
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    /// The members of an object with every secret masked.
    pub(crate) fn mask_members(&self, members: Map<String, Value>) -> Map<String, Value> {
        match self.mask(&Value::Object(members)) {
            Value::Object(members) => members,
            _ => Map::new(),
        }
    }

    /// The text with every secret masked.
    pub fn mask_text(&self, text: &str) -> String {
        let texts = self.texts.read().unwrap_or_else(PoisonError::into_inner);
        // What is plain, and a gap wherever a secret stood: a mask is never searched for secrets itself.
        let mut parts = vec![Some(text)];
        for secret in texts.values().flatten().filter(|secret| text.contains(secret.as_str())) {
            parts = parts.into_iter().flat_map(|part| without(part, secret)).collect();
        }
        parts.into_iter().map(|part| part.unwrap_or(MASK)).collect()
    }
}

/// A part of a text with a gap wherever a secret stands in it. A short secret is one only where nothing that could belong
/// to a longer word stands beside it.
fn without<'t>(part: Option<&'t str>, secret: &str) -> Vec<Option<&'t str>> {
    let Some(plain) = part else { return vec![None] };
    let short = secret.chars().count() < SHORT;
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

/// The values of a scope that an expression reads.
fn sources<'s>(expression: &Expression, scope: &'s Value) -> Vec<&'s Value> {
    let mut sources = Vec::new();
    if expression.reads_scope_as_a_whole() {
        sources.push(scope);
    }
    for path in expression.paths() {
        let names: Vec<&str> = path.names.iter().map(|name| name.text.as_str()).collect();
        reach(scope, &names, &mut sources);
    }
    sources
}

/// The texts between quotes in an expression.
fn literals(source: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(at) = rest.find(['\'', '"']) {
        let (quote, after) = rest[at..].split_at(1);
        let Some(end) = after.find(quote) else { break };
        found.push(&after[..end]);
        rest = &after[end + 1..];
    }
    found.retain(|literal| !literal.is_empty());
    // The longer first: a shorter one may be a part of it.
    found.sort_by_key(|literal| std::cmp::Reverse(literal.len()));
    found
}

/// What is left of a text without these; none if it holds none of them.
fn pieces<'t>(text: &'t str, without: &[&str]) -> impl Iterator<Item = &'t str> {
    let mut pieces = vec![text];
    for part in without {
        pieces = pieces.into_iter().flat_map(|piece| piece.split(part)).collect();
    }
    let whole = pieces.len() == 1;
    pieces.into_iter().filter(move |piece| !whole && !piece.is_empty())
}

/// Calls `tell` with every text and number in a value.
fn leaves(value: &Value, tell: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => tell(text),
        Value::Number(number) => tell(&number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| leaves(item, tell)),
        Value::Object(members) => members.values().for_each(|member| leaves(member, tell)),
        Value::Null | Value::Bool(_) => {}
    }
}

/// What a path leads to; arrays are looked through, as JSONata does.
fn reach<'v>(value: &'v Value, path: &[&str], found: &mut Vec<&'v Value>) {
    match (path, value) {
        ([], _) => found.push(value),
        (_, Value::Array(items)) => items.iter().for_each(|item| reach(item, path, found)),
        ([name, rest @ ..], _) => value.get(name).into_iter().for_each(|member| reach(member, rest, found)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn input() -> Value {
        json!({ "user": "ada", "password": "hunter22", "pin": "7" })
    }

    fn secrets() -> Secrets {
        let schema = json!({ "properties": {
            "user": { "type": "string" },
            "password": { "type": "string", "writeOnly": true },
            "pin": { "type": "string", "format": "password" },
        }});
        Secrets::of(schema.as_object().unwrap(), &input())
    }

    #[test]
    fn a_mask_is_not_searched_for_secrets_and_a_number_is_hidden_whole() {
        let schema = json!({ "additionalProperties": { "x_secret": true } });
        let input = json!({ "word": "secret", "otp": 12_345_678, "digit": "ecre" });
        let secrets = Secrets::of(schema.as_object().unwrap(), &input);
        assert_eq!(secrets.mask(&json!(12_345_678)), json!(MASK));
        assert_eq!(secrets.mask(&json!(9_123_456_780_u64)), json!(MASK), "a part of it says as much");
        assert_eq!(secrets.mask_text("12345678 secret"), "[secret] [secret]");
    }

    fn made(secrets: &Secrets, expression: &str, scope: Value) -> Value {
        let expression = Expression::compile(expression).unwrap();
        let value =
            expression.evaluate(&scope, &actions_expr::Budget::default()).unwrap().into_json_or_null();
        secrets.follow(&expression, &scope, &value);
        value
    }

    #[test]
    fn secrets_are_masked_wherever_they_turn_up() {
        let masked = secrets().mask(
            &json!({ "args": ["x hunter22 y", { "hunter22": "ada" }], "pin": "7", "n": "17", "said": "(7)" }),
        );
        assert_eq!(
            masked,
            json!({ "args": ["x [secret] y", { "[secret]": "ada" }], "pin": "[secret]", "n": "17", "said": "([secret])" })
        );
    }

    #[test]
    fn what_an_expression_makes_of_a_secret_is_secret() {
        let secrets = secrets();
        made(&secrets, "$uppercase(input.password)", json!({ "input": input() }));
        made(&secrets, "$uppercase(input.user) & '-LOVELACE'", json!({ "input": input() }));
        assert_eq!(secrets.mask_text("HUNTER22 ADA-LOVELACE"), "[secret] ADA-LOVELACE");
    }

    #[test]
    fn what_is_made_of_a_secret_within_a_longer_text_is_secret_alone_too() {
        let secrets = secrets();
        let expression =
            "'/open?as=' & input.user & '&word=' & $uppercase(input.password) & '&pin=' & input.pin";
        made(&secrets, expression, json!({ "input": input() }));
        assert_eq!(
            secrets.mask_text("seen?word=HUNTER22&pin=7 by ada"),
            "seen?word=[secret]&pin=[secret] by ada"
        );
    }

    #[test]
    fn what_is_beside_a_secret_stays_open() {
        let secrets = secrets();
        made(
            &secrets,
            "{'who': input.user, 'mode': 'replace', 'text': input.password}",
            json!({ "input": input() }),
        );
        assert_eq!(secrets.mask_text("ada replace hunter22"), "ada replace [secret]");
    }

    #[test]
    fn a_secret_is_followed_through_the_results_of_steps() {
        let secrets = secrets();
        let scope = json!({ "steps": { "typed": { "output": { "value": "hunter22" } } } });
        made(&secrets, "$substring(steps.typed.output.value, 0, 6)", scope);
        assert_eq!(secrets.mask_text("hunter"), "[secret]");
    }

    #[test]
    fn an_address_gives_no_secret_away() {
        let schema = json!({ "properties": { "code": { "x_secret": true } } });
        let secrets = Secrets::of(schema.as_object().unwrap(), &json!({ "code": "a b/c?" }));
        assert_eq!(
            secrets.mask_text("https://x.example/?code=a+b%2Fc%3F"),
            "https://x.example/?code=[secret]"
        );
    }
}
