//! Collects the JSON Schema of the format while types describe themselves.

use serde_json::{Map, Value, json};

use super::Policy;

/// The named parts of the JSON Schema, each made once.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    made: Map<String, Value>,
}

impl Definitions {
    /// A reference to the object `name`, which `fill` describes the first time it is asked for.
    pub(crate) fn object(
        &mut self,
        name: &str,
        doc: &str,
        policy: Policy,
        fill: impl FnOnce(&mut Self, &mut Members),
    ) -> Value {
        self.named(name, |definitions| {
            let mut members = Members::default();
            fill(definitions, &mut members);
            members.into_schema(doc, policy)
        })
    }

    /// A reference to the schema `name`, which `make` gives the first time it is asked for.
    pub(crate) fn named(&mut self, name: &str, make: impl FnOnce(&mut Self) -> Value) -> Value {
        if !self.made.contains_key(name) {
            // Holds the place, so that a definition may refer to itself.
            self.made.insert(name.to_owned(), Value::Null);
            let schema = make(self);
            self.made.insert(name.to_owned(), schema);
        }
        json!({ "$ref": format!("#/$defs/{name}") })
    }

    pub(crate) fn into_value(self) -> Value {
        Value::Object(self.made)
    }
}

/// The members of an object that is being described.
#[derive(Debug, Default)]
pub(crate) struct Members {
    properties: Map<String, Value>,
    required: Vec<Value>,
    demands: Map<String, Value>,
}

impl Members {
    /// Adds one member.
    pub(crate) fn add(&mut self, key: &str, doc: &str, required: bool, schema: Value) {
        let mut schema = match schema {
            Value::Object(schema) => schema,
            anything => {
                debug_assert_eq!(anything, Value::Bool(true), "a member's schema is an object or true");
                Map::new()
            }
        };
        schema.insert("description".to_owned(), Value::String(prose(doc)));
        self.properties.insert(key.to_owned(), Value::Object(schema));
        if required {
            self.required.push(Value::String(key.to_owned()));
        }
    }

    /// Adds a keyword that looks at several members together.
    pub(crate) fn demand(&mut self, keyword: &str, demand: Value) {
        self.demands.insert(keyword.to_owned(), demand);
    }

    fn into_schema(self, doc: &str, policy: Policy) -> Value {
        let mut schema =
            json!({ "type": "object", "description": prose(doc), "properties": self.properties });
        if !self.required.is_empty() {
            schema["required"] = Value::Array(self.required);
        }
        match policy {
            Policy::Closed => schema["additionalProperties"] = Value::Bool(false),
            Policy::Strict => {
                schema["patternProperties"] = json!({ "^x_": true });
                schema["additionalProperties"] = Value::Bool(false);
            }
            Policy::Open => {}
        }
        for (keyword, demand) in self.demands {
            schema[keyword] = demand;
        }
        schema
    }
}

/// Joins the lines of a doc comment.
fn prose(doc: &str) -> String {
    doc.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}
