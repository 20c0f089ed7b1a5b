//! JSON Schemas as maps bring them along, most of them valid.

use serde_json::{Map, Value, json};

use super::Writer;

const TYPES: &[&str] = &["object", "string", "number", "integer", "boolean", "array", "null", "text", "any"];

const PATTERNS: &[&str] = &[
    "\\S", "^a+$", "(", "[a-", "(?<=a)b", "(a+)+$", "\\p{L}", "\\d{1,3}", "\\u0041", "(?i)a", "\\",
    "a{99999}", "^$",
];

const REFERENCES: &[&str] = &[
    "#",
    "#/$defs/a",
    "#/$defs/missing",
    "#/properties/a",
    "#anchor",
    "https://example.com/schema.json",
    "other.json",
    "",
    "#/",
    "https://json-schema.org/draft/2020-12/schema",
    "urn:x",
    "#/$defs/a/~1",
    "file:///etc/passwd",
];

const BOUNDS: &[&str] = &[
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "multipleOf",
    "minProperties",
    "exclusiveMinimum",
];

impl Writer<'_> {
    /// A schema for arguments or results: an object, most of the time.
    pub(super) fn json_schema(&mut self, depth: usize) -> Value {
        match self.random.below(20) {
            0 => self.anything("", depth),
            1 => json!({}),
            2 => self.schema(depth),
            _ => {
                let mut schema = self.schema_of_object(depth);
                schema.insert("type".to_owned(), json!("object"));
                Value::Object(schema)
            }
        }
    }

    fn schema_of_object(&mut self, depth: usize) -> Map<String, Value> {
        let mut schema = Map::new();
        let names: Vec<String> = (0..self.random.below(4)).map(|_| self.name()).collect();
        let properties: Map<String, Value> =
            names.iter().map(|name| (name.clone(), self.schema(depth + 1))).collect();
        if self.random.percent(60) {
            schema.insert("required".to_owned(), names.into());
        }
        schema.insert("properties".to_owned(), properties.into());
        if self.random.percent(60) {
            schema.insert("additionalProperties".to_owned(), json!(false));
        }
        schema
    }

    fn schema(&mut self, depth: usize) -> Value {
        self.values_left = self.values_left.saturating_sub(1);
        if depth > 10 || self.values_left == 0 || self.random.percent(5) {
            return self
                .random
                .choose(&[json!(true), json!({}), json!(false), json!({"type": "string"})])
                .clone();
        }
        let mut schema = Map::new();
        let mut put = |key: &str, value: Value| schema.insert(key.to_owned(), value);
        for _ in 0..=self.random.below(3) {
            match self.random.below(16) {
                0..=4 => put("type", self.random.pick(TYPES).into()),
                5 => put("enum", json!(["a", 1, null])),
                6 => put("pattern", self.random.pick(PATTERNS).into()),
                7 => put("default", self.anything("", depth + 1)),
                8 => put("$ref", self.random.pick(REFERENCES).into()),
                9 => put("items", self.schema(depth + 1)),
                10 => put("$defs", json!({ "a": self.schema(depth + 1) })),
                11 => {
                    let word = self.random.pick(&[
                        "anyOf",
                        "oneOf",
                        "allOf",
                        "not",
                        "if",
                        "prefixItems",
                        "contains",
                    ]);
                    put(word, json!([self.schema(depth + 1)]))
                }
                12 => put("format", self.random.pick(&["password", "date", "x", "regex"]).into()),
                13 => {
                    let bound = self.random.pick(BOUNDS);
                    put(
                        bound,
                        self.random
                            .choose(&[json!(0), json!(1), json!(-1), json!(1.5), json!("1"), json!(1e300)])
                            .clone(),
                    )
                }
                14 => put("$id", self.random.pick(REFERENCES).into()),
                _ => {
                    let word = self.random.pick(&[
                        "$schema",
                        "$anchor",
                        "$dynamicRef",
                        "const",
                        "x_secret",
                        "writeOnly",
                        "required",
                        "properties",
                    ]);
                    put(word, self.anything("", depth + 1))
                }
            };
        }
        if self.random.percent(30) {
            schema.extend(self.schema_of_object(depth + 1));
        }
        Value::Object(schema)
    }
}
