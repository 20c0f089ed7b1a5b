//! The values that expressions can read: `input`, `steps`, `item` and `index`.

use serde_json::{Map, Value, json};

/// What expressions see: `input`, `steps`, `item` and `index`.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    root: Value,
}

impl Scope {
    pub(crate) fn new(input: Value) -> Self {
        Self { root: json!({ "input": input, "steps": {} }) }
    }

    pub(crate) fn value(&self) -> &Value {
        &self.root
    }

    pub(crate) fn input(&self) -> &Value {
        &self.root["input"]
    }

    /// The results of the steps so far.
    pub(crate) fn steps(&self) -> &Value {
        &self.root["steps"]
    }

    pub(crate) fn set_step(&mut self, id: &str, result: Value) {
        self.root["steps"][id] = result;
    }

    /// Binds the item of a loop and its number.
    pub(crate) fn set_item(&mut self, item: Value, index: usize) {
        self.root["item"] = item;
        self.root["index"] = json!(index);
    }

    /// Binds the number of an attempt.
    pub(crate) fn set_attempt(&mut self, index: usize) {
        self.root["index"] = json!(index);
    }

    /// Unbinds the item and the number.
    pub(crate) fn clear_item(&mut self) {
        if let Some(root) = self.root.as_object_mut() {
            root.remove("item");
            root.remove("index");
        }
    }
}

/// The result of a primitive as `steps.<id>` shows it.
pub(crate) fn succeeded(output: Value) -> Map<String, Value> {
    let mut result = Map::new();
    result.insert("ok".to_owned(), Value::Bool(true));
    result.insert("output".to_owned(), output);
    result
}

/// A failure as `steps.<id>` shows it.
pub(crate) fn failed(failure: &actions_primitives::Failure) -> Map<String, Value> {
    let mut result = Map::new();
    result.insert("ok".to_owned(), Value::Bool(false));
    let error = json!({
        "code": failure.code,
        "message": failure.message,
        "recoverable": failure.code.recoverable(),
        "evidence": failure.evidence,
    });
    result.insert("error".to_owned(), error);
    result
}
