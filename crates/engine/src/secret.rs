//! Secrets of a call: known by the input schema, followed through expressions, taken out of everything that is told.

use std::collections::BTreeSet;
use std::sync::RwLock;

use actions_expr::Expression;
use serde_json::{Map, Value};

/// What stands where a secret stood.
const MASK: &str = "[secret]";

/// A secret shorter than this is masked only where it is the whole text: it would be found everywhere.
const SHORT: usize = 4;

/// The input properties whose values are secret, and every value they have become.
#[derive(Debug, Default)]
pub(crate) struct Secrets {
    properties: BTreeSet<String>,
    values: RwLock<BTreeSet<String>>,
}

impl Secrets {
    /// The secret properties of an input schema: `"format": "password"`, `"writeOnly": true` or `"x_secret": true`.
    pub(crate) fn of(schema: &Map<String, Value>, input: &Value) -> Self {
        let mut secrets = Self::default();
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, _) in properties.into_iter().flatten().filter(|(_, property)| holds_secret(property)) {
            secrets.properties.insert(name.clone());
            if let Some(value) = input.get(name) {
                secrets.learn(value);
            }
        }
        secrets
    }

    /// Whether anything is secret at all.
    fn is_empty(&self) -> bool {
        self.properties.is_empty()
    }

    /// Follows a value that was computed by an expression which reads a secret property, or all of the input.
    pub(crate) fn follow(&self, expression: &Expression, value: &Value) {
        let reads = |reference: &actions_expr::InputReference| {
            reference.path.first().is_none_or(|name| self.properties.contains(name))
        };
        if !self.is_empty() && expression.input_references().iter().any(reads) {
            self.learn(value);
        }
    }

    /// Follows a value whose origin is known to be secret.
    pub(crate) fn learn(&self, value: &Value) {
        match value {
            Value::String(text) if !text.is_empty() => {
                self.values.write().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(text.clone());
            }
            Value::Number(number) => {
                self.values
                    .write()
                    .unwrap_or_else(|poisoned| poisoned.into_inner())
                    .insert(number.to_string());
            }
            Value::Array(items) => items.iter().for_each(|item| self.learn(item)),
            Value::Object(members) => members.values().for_each(|member| self.learn(member)),
            Value::String(_) | Value::Null | Value::Bool(_) => {}
        }
    }

    /// The value with every secret masked.
    pub(crate) fn mask(&self, value: &Value) -> Value {
        if self.is_empty() {
            return value.clone();
        }
        let values = self.values.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        mask(value, &values)
    }

    /// The text with every secret masked.
    pub(crate) fn mask_text(&self, text: &str) -> String {
        if self.is_empty() {
            return text.to_owned();
        }
        mask_text(text, &self.values.read().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }
}

fn holds_secret(property: &Value) -> bool {
    let marked =
        property["format"] == "password" || property["writeOnly"] == true || property["x_secret"] == true;
    let below =
        property["properties"].as_object().into_iter().flatten().any(|(_, property)| holds_secret(property));
    marked || below || property.get("items").is_some_and(holds_secret)
}

fn mask(value: &Value, secrets: &BTreeSet<String>) -> Value {
    match value {
        Value::String(text) => Value::String(mask_text(text, secrets)),
        Value::Number(number) if secrets.contains(&number.to_string()) => Value::String(MASK.to_owned()),
        Value::Array(items) => items.iter().map(|item| mask(item, secrets)).collect(),
        Value::Object(members) => Value::Object(
            members.iter().map(|(key, member)| (mask_text(key, secrets), mask(member, secrets))).collect(),
        ),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn mask_text(text: &str, secrets: &BTreeSet<String>) -> String {
    // Longer secrets first: a shorter one may be a part of them.
    let mut ordered: Vec<&String> = secrets.iter().collect();
    ordered.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    ordered.iter().fold(text.to_owned(), |text, secret| match secret.len() < SHORT {
        true if text == **secret => MASK.to_owned(),
        true => text,
        false => text.replace(secret.as_str(), MASK),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn secrets() -> Secrets {
        let schema = json!({ "properties": {
            "user": { "type": "string" },
            "password": { "type": "string", "writeOnly": true },
            "pin": { "type": "string", "format": "password" },
        }});
        Secrets::of(
            schema.as_object().unwrap(),
            &json!({ "user": "ada", "password": "hunter22", "pin": "7" }),
        )
    }

    #[test]
    fn secrets_are_masked_wherever_they_turn_up() {
        let masked = secrets()
            .mask(&json!({ "args": ["x hunter22 y", { "hunter22": "ada" }], "pin": "7", "n": "17" }));
        assert_eq!(
            masked,
            json!({ "args": ["x [secret] y", { "[secret]": "ada" }], "pin": "[secret]", "n": "17" })
        );
    }

    #[test]
    fn what_an_expression_makes_of_a_secret_is_secret() {
        let secrets = secrets();
        let upper = Expression::compile("$uppercase(input.password)").unwrap();
        secrets.follow(&upper, &json!("HUNTER22"));
        let user = Expression::compile("$uppercase(input.user)").unwrap();
        secrets.follow(&user, &json!("ADA-LOVELACE"));
        assert_eq!(secrets.mask_text("HUNTER22 ADA-LOVELACE"), "[secret] ADA-LOVELACE");
    }
}
