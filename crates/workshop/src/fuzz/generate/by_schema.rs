//! Values that fit a JSON Schema, most of the time.

use actions_dictionary::Dictionary;
use serde_json::{Map, Value, json};

use super::Writer;

/// How deep a generated value goes, at most.
const DEPTH: usize = 12;

impl Writer<'_> {
    /// A value for this schema; `key` is the key it will stand under.
    pub(super) fn by_schema(&mut self, schema: &Value, key: &str, depth: usize) -> Value {
        self.values_left = self.values_left.saturating_sub(1);
        if self.slip() {
            return self.anything(key, depth);
        }
        if let Some(value) = self.by_key(key, depth) {
            return value;
        }
        let Some(schema) = schema.as_object() else { return self.anything(key, depth) };
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            return self.by_reference(reference, key, depth);
        }
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        if let Some(words) = schema.get("enum").and_then(Value::as_array) {
            return self.random.choose(words).clone();
        }
        let choices = ["anyOf", "oneOf"].iter().find_map(|word| schema.get(*word)?.as_array());
        if let Some(choices) = choices {
            let choice = self.random.choose(choices).clone();
            if schema.get("properties").is_none() {
                return self.by_schema(&choice, key, depth);
            }
            return self.object(schema, choice.get("required"), depth);
        }
        match schema.get("type").and_then(Value::as_str) {
            Some("object") => self.object(schema, None, depth),
            Some("array") => self.array(schema, key, depth),
            Some("string") => self.text(key).into(),
            Some("boolean") => self.random.percent(50).into(),
            Some("integer" | "number") => self.number(schema),
            _ => self.anything(key, depth),
        }
    }

    /// Whether to write something that does not fit.
    pub(super) fn slip(&mut self) -> bool {
        let slips = self.slips;
        self.random.percent(slips)
    }

    fn by_reference(&mut self, reference: &str, key: &str, depth: usize) -> Value {
        match reference.strip_prefix("#/$defs/") {
            Some("slot") => self.slot().into(),
            Some("safe_name") => self.name().into(),
            Some("step_id") => self.step_id().into(),
            _ => {
                let root = self.root;
                let found = root.pointer(reference.trim_start_matches('#'));
                found.map_or(Value::Null, |schema| self.by_schema(schema, key, depth))
            }
        }
    }

    /// What the key alone decides.
    fn by_key(&mut self, key: &str, depth: usize) -> Option<Value> {
        match key {
            "input_schema" | "result_schema" | "output_schema" | "payload" => Some(self.json_schema(depth)),
            "output" | "args" | "arguments" | "anchor" => Some(self.slotted(depth)),
            _ => None,
        }
    }

    fn object(&mut self, schema: &Map<String, Value>, also: Option<&Value>, depth: usize) -> Value {
        let mut object = Map::new();
        let listed = |list: Option<&Value>, key: &str| {
            list.and_then(Value::as_array).is_some_and(|keys| keys.iter().any(|wanted| wanted == key))
        };
        let properties = schema.get("properties").and_then(Value::as_object);
        let wish = if depth == 0 { 25 } else { 30 };
        for (key, property) in properties.into_iter().flatten() {
            let required = listed(schema.get("required"), key) || listed(also, key);
            let wanted = match (required, self.values_left) {
                (true, _) => !self.slip(),
                (false, 0) => false,
                // A key that may not be there.
                (false, _) if property.get("not").is_some() => self.slip(),
                (false, _) => depth < DEPTH && self.random.percent(wish),
            };
            if wanted {
                object.insert(key.clone(), self.by_schema(property, key, depth + 1));
            }
        }
        self.fit_demands(schema, &mut object, depth);
        if let Some(open @ Value::Object(_)) = schema.get("additionalProperties") {
            for _ in 0..self.random.below(3) {
                let key = self.name();
                let value = self.by_schema(open, &key, depth + 1);
                object.insert(key, value);
            }
        }
        if self.slip() {
            let key = self.random.pick(&["x_note", "note", "X", "", "$ref", "~/"]).to_owned();
            object.insert(key, self.anything("", depth + 1));
        }
        self.fit_arguments(&mut object, depth);
        Value::Object(object)
    }

    /// Adds keys that others require and removes keys that exclude each other, most of the time.
    fn fit_demands(&mut self, schema: &Map<String, Value>, object: &mut Map<String, Value>, depth: usize) {
        let Some(demands) = schema.get("dependentRequired").and_then(Value::as_object) else { return };
        if self.slip() {
            return;
        }
        let exclusive = schema.get("not").and_then(|not| not.get("required")).and_then(Value::as_array);
        let exclusive: Vec<&str> = exclusive.into_iter().flatten().filter_map(Value::as_str).collect();
        let present = exclusive.iter().filter(|key| object.contains_key(**key)).skip(1).copied();
        present.collect::<Vec<_>>().into_iter().for_each(|key| drop(object.remove(key)));
        // A key that is added may require others.
        for _ in 0..demands.len() {
            for (key, needs) in demands {
                let need = needs.as_array().into_iter().flatten().filter_map(Value::as_str);
                let Some(missing) = need.into_iter().find(|need| !object.contains_key(*need)) else {
                    continue;
                };
                if !object.contains_key(key) {
                    continue;
                }
                let excluded =
                    exclusive.contains(&missing) && exclusive.iter().any(|other| object.contains_key(*other));
                if excluded {
                    object.remove(key);
                } else {
                    let value = self.by_schema(&schema["properties"][missing], missing, depth + 1);
                    object.insert(missing.to_owned(), value);
                }
            }
        }
    }

    /// Gives the primitive an object names the arguments it asks for, most of the time.
    fn fit_arguments(&mut self, object: &mut Map<String, Value>, depth: usize) {
        let Some(name) = object.get("primitive").and_then(Value::as_str) else { return };
        let Some(primitive) = Dictionary::builtin().get(name).filter(|_| self.random.percent(75)) else {
            return;
        };
        let schema = primitive.input_schema();
        let mut writer = Writer {
            root: schema,
            expressions: self.expressions,
            random: self.random,
            values_left: self.values_left.min(12),
            slips: self.slips,
        };
        let mut args = writer.by_schema(schema, "", depth + 1);
        self.sprinkle_slots(&mut args);
        object.insert("args".to_owned(), args);
    }

    fn sprinkle_slots(&mut self, value: &mut Value) {
        match value {
            Value::Array(elements) => elements.iter_mut().for_each(|element| self.sprinkle_slots(element)),
            Value::Object(members) => members.values_mut().for_each(|member| self.sprinkle_slots(member)),
            leaf if self.random.percent(25) => *leaf = self.slot().into(),
            _ => {}
        }
    }

    fn array(&mut self, schema: &Map<String, Value>, key: &str, depth: usize) -> Value {
        let items = schema.get("items").cloned().unwrap_or(Value::Bool(true));
        let most = if self.values_left == 0 || depth > DEPTH { 1 } else { 4 };
        let length = self.random.below(most);
        (0..length).map(|_| self.by_schema(&items, key, depth + 1)).collect()
    }

    fn number(&mut self, schema: &Map<String, Value>) -> Value {
        let bound = |word: &str| schema.get(word).and_then(Value::as_i64);
        let (low, high) = (bound("minimum").unwrap_or(0), bound("maximum").unwrap_or(1000));
        if self.slip() {
            let wrong =
                [json!(low - 1), json!(high.saturating_add(1)), json!(low as f64 + 0.5), json!(1e300)];
            return self.random.choose(&wrong).clone();
        }
        match self.random.below(8) {
            0 => json!(low),
            1 => json!(high),
            2 => json!(low as f64 + 1.0),
            _ => json!(low + self.random.below((high - low).clamp(1, 1 << 40) as usize) as i64),
        }
    }

    /// Any value at all.
    pub(super) fn anything(&mut self, key: &str, depth: usize) -> Value {
        self.values_left = self.values_left.saturating_sub(1);
        let kinds = if depth > DEPTH || self.values_left == 0 { 5 } else { 8 };
        match self.random.below(kinds) {
            0 => Value::Null,
            1 => self.random.percent(50).into(),
            2 => self
                .random
                .choose(&[json!(0), json!(1), json!(-1), json!(0.5), json!(1e300), json!(u64::MAX)])
                .clone(),
            3 => self.text(key).into(),
            4 => self.slot().into(),
            5 => (0..self.random.below(3)).map(|_| self.anything(key, depth + 1)).collect(),
            _ => {
                let members = 0..self.random.below(3);
                members.map(|_| (self.name(), self.anything(key, depth + 1))).collect()
            }
        }
    }

    /// A tree with slots in it.
    fn slotted(&mut self, depth: usize) -> Value {
        match self.random.below(4) {
            0 => self.slot().into(),
            1 => self.anything("", depth),
            _ => {
                let members = 0..self.random.below(4);
                members.map(|_| (self.name(), Value::from(self.slot()))).collect()
            }
        }
    }
}
