//! How much work it is to check a value against a schema.

use std::collections::HashMap;

use serde_json::Value;

use super::{References, SAME_VALUE, SAME_VALUE_LISTS, Schema, listed, named, states};

/// The work of checking one value against one schema, counted without doing it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// How often a schema meets a value.
    pub steps: usize,
    /// How many bytes a report of everything that does not fit may take.
    pub report: usize,
    /// The same for the largest choice: the report of one fault of a choice has those of all its branches.
    pub choice: usize,
}

/// Checking a value against a schema takes more steps than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it takes more than {allowed} steps to check")]
pub struct TooMuchWork {
    /// How many steps are allowed.
    pub allowed: usize,
}

/// Schemas and values lead to each other at most this many levels deep: each level needs some of the stack.
const LEVELS: usize = 1_000;

/// About what the report of one fault takes, without the path of the value.
const FAULT: usize = 300;

/// A state of a pattern and a character of a text meet this often in one step.
const MATCHES: usize = 512;

impl Work {
    /// Counts until `allowed` steps.
    pub fn of(root: &Schema, value: &Value, allowed: usize) -> Result<Self, TooMuchWork> {
        let mut count = Count {
            references: References::of(root),
            allowed,
            work: Self::default(),
            open: Vec::new(),
            states: HashMap::new(),
        };
        count.schema(root, value, Place { level: 0, path: 0 })?;
        Ok(count.work)
    }
}

/// Where in the schema and the value a count is.
#[derive(Clone, Copy)]
struct Place {
    level: usize,
    /// The length of the path of the value.
    path: usize,
}

impl Place {
    fn inner(self) -> Self {
        Self { level: self.level + 1, ..self }
    }

    fn at(self, key: &str) -> Self {
        Self { level: self.level + 1, path: self.path + key.len() + 1 }
    }
}

struct Count<'s> {
    references: References<'s>,
    allowed: usize,
    work: Work,
    /// The pairs of referring schema and value that are being counted: a circle ends there.
    open: Vec<(*const Schema, *const Value)>,
    /// The states of each pattern, by the address of its text.
    states: HashMap<*const u8, usize>,
}

type Counted = Result<(), TooMuchWork>;

impl<'s> Count<'s> {
    fn steps(&mut self, steps: usize) -> Counted {
        self.work.steps = self.work.steps.saturating_add(steps);
        match self.work.steps <= self.allowed {
            true => Ok(()),
            false => Err(TooMuchWork { allowed: self.allowed }),
        }
    }

    fn schema(&mut self, schema: &'s Schema, value: &Value, place: Place) -> Counted {
        if place.level > LEVELS {
            return Err(TooMuchWork { allowed: self.allowed });
        }
        self.work.report = self.work.report.saturating_add(FAULT + place.path);
        self.steps(1 + schema.len())?;
        self.keywords(schema, value, place)?;
        match value {
            Value::String(text) => self.text(schema, text)?,
            Value::Array(items) => self.items(schema, items, place)?,
            Value::Object(members) => self.members(schema, members, place)?,
            _ => {}
        }
        self.same_value(schema, value, place)?;
        // What is not evaluated is found out by evaluating the rest once more.
        match ["unevaluatedProperties", "unevaluatedItems"].iter().any(|key| schema.contains_key(*key)) {
            true => self.same_value(schema, value, place),
            false => Ok(()),
        }
    }

    /// The schemas that apply to the same value.
    fn same_value(&mut self, schema: &'s Schema, value: &Value, place: Place) -> Counted {
        for inner in SAME_VALUE.iter().filter_map(|key| schema.get(*key)?.as_object()) {
            self.schema(inner, value, place.inner())?;
        }
        for (_, inner) in named(schema, "dependentSchemas") {
            self.schema(inner, value, place.inner())?;
        }
        for key in SAME_VALUE_LISTS {
            let before = self.work.report;
            for inner in listed(schema, key) {
                self.schema(inner, value, place.inner())?;
            }
            if *key != "allOf" {
                self.work.choice = self.work.choice.max(self.work.report - before);
            }
        }
        let referred: Vec<&'s Schema> = self.references.from(schema).flatten().collect();
        if referred.is_empty() {
            return Ok(());
        }
        let here = (std::ptr::from_ref(schema), std::ptr::from_ref(value));
        // Every open pair is compared.
        self.steps(self.open.len() / 16)?;
        if self.open.contains(&here) {
            return Ok(());
        }
        self.open.push(here);
        for referred in referred {
            self.schema(referred, value, place.inner())?;
        }
        self.open.pop();
        Ok(())
    }

    /// The keywords that are lists of something else than schemas.
    fn keywords(&mut self, schema: &Schema, value: &Value, place: Place) -> Counted {
        if let Some(required) = schema.get("required").and_then(Value::as_array) {
            self.work.report = self.work.report.saturating_add(required.len() * (FAULT + place.path));
            self.steps(required.len())?;
        }
        for (_, required) in schema.get("dependentRequired").and_then(Value::as_object).into_iter().flatten()
        {
            self.steps(1 + required.as_array().map_or(0, Vec::len))?;
        }
        let compares = ["const", "enum"].iter().any(|key| schema.contains_key(*key));
        let unique = schema.get("uniqueItems") == Some(&Value::Bool(true));
        if compares || unique && value.is_array() {
            self.compare(value)?;
        }
        if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
            self.steps(choices.len() / 8)?;
        }
        Ok(())
    }

    /// The steps to compare a value with another.
    fn compare(&mut self, value: &Value) -> Counted {
        match value {
            Value::String(text) => self.steps(1 + text.len() / MATCHES),
            Value::Array(items) => {
                self.steps(1)?;
                items.iter().try_for_each(|item| self.compare(item))
            }
            Value::Object(members) => {
                self.steps(1)?;
                members.values().try_for_each(|member| self.compare(member))
            }
            _ => self.steps(1),
        }
    }

    fn text(&mut self, schema: &'s Schema, text: &str) -> Counted {
        if ["minLength", "maxLength"].iter().any(|key| schema.contains_key(*key)) {
            self.steps(text.len() / MATCHES)?;
        }
        match schema.get("pattern").and_then(Value::as_str) {
            Some(pattern) => self.matching(pattern, text),
            None => Ok(()),
        }
    }

    fn matching(&mut self, pattern: &'s str, text: &str) -> Counted {
        let states = *self.states.entry(pattern.as_ptr()).or_insert_with(|| states(pattern));
        self.steps(1 + states.saturating_mul(text.len()) / MATCHES)
    }

    fn items(&mut self, schema: &'s Schema, items: &[Value], place: Place) -> Counted {
        let first: Vec<Option<&'s Schema>> = match schema.get("prefixItems").and_then(Value::as_array) {
            Some(first) => first.iter().map(Value::as_object).collect(),
            None => Vec::new(),
        };
        let any: Vec<&'s Schema> = ["items", "contains", "unevaluatedItems"]
            .iter()
            .filter_map(|key| schema.get(*key)?.as_object())
            .collect();
        if first.is_empty() && any.is_empty() {
            return Ok(());
        }
        for (index, item) in items.iter().enumerate() {
            let own = first.get(index).copied().flatten();
            for schema in own.into_iter().chain(any.iter().copied()) {
                self.schema(schema, item, place.at("1234"))?;
            }
        }
        Ok(())
    }

    fn members(
        &mut self,
        schema: &'s Schema,
        members: &serde_json::Map<String, Value>,
        place: Place,
    ) -> Counted {
        let declared = schema.get("properties").and_then(Value::as_object);
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        let names = schema.get("propertyNames").and_then(Value::as_object);
        let rest: Vec<&'s Schema> = ["additionalProperties", "unevaluatedProperties"]
            .iter()
            .filter_map(|key| schema.get(*key)?.as_object())
            .collect();
        if declared.is_none() && patterns.is_none() && names.is_none() && rest.is_empty() {
            // A closed object looks at every name.
            return self.steps(members.len());
        }
        for (name, member) in members {
            self.steps(1)?;
            match declared.and_then(|declared| declared.get(name)) {
                Some(Value::Object(own)) => self.schema(own, member, place.at(name))?,
                Some(_) => {}
                None => {
                    for rest in &rest {
                        self.schema(rest, member, place.at(name))?;
                    }
                }
            }
            for (pattern, own) in patterns.into_iter().flatten() {
                self.matching(pattern, name)?;
                // Whether the pattern matches is not found out: it may.
                if let Value::Object(own) = own {
                    self.schema(own, member, place.at(name))?;
                }
            }
            if let Some(names) = names {
                self.schema(names, &Value::String(name.clone()), place.at(name))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn steps(schema: &Value, value: &Value) -> Option<usize> {
        Work::of(schema.as_object().unwrap(), value, 100_000).ok().map(|work| work.steps)
    }

    #[test]
    fn an_ordinary_value_takes_a_few_steps_for_each_of_its_parts() {
        let item =
            json!({ "type": "object", "properties": { "id": { "type": "integer" } }, "required": ["id"] });
        let schema = json!({ "type": "array", "items": item });
        let items = |count: usize| Value::from(vec![json!({ "id": 1 }); count]);
        let (ten, hundred) = (steps(&schema, &items(10)).unwrap(), steps(&schema, &items(100)).unwrap());
        assert!(ten < 100 && hundred < 10 * ten, "{ten} {hundred}");
        assert_eq!(steps(&schema, &items(100_000)), None);
    }

    #[test]
    fn a_schema_that_doubles_at_every_level_of_the_value_takes_too_much() {
        let twice = json!({ "allOf": [{ "items": { "$ref": "#" } }, { "items": { "$ref": "#" } }] });
        let nested = |levels: usize| (0..levels).fold(json!([]), |inner, _| json!([inner]));
        assert!(steps(&twice, &nested(5)).is_some());
        assert_eq!(steps(&twice, &nested(60)), None);
    }

    #[test]
    fn a_circle_ends() {
        assert!(steps(&json!({ "allOf": [{ "$ref": "#" }] }), &json!(1)).is_some());
    }

    #[test]
    fn long_texts_patterns_and_paths_count() {
        let schema = json!({ "pattern": "(a{100}){10}" });
        assert!(steps(&schema, &json!("a".repeat(100))).is_some());
        assert_eq!(steps(&schema, &json!("a".repeat(1_000_000))), None);
        let schema = json!({ "additionalProperties": { "items": { "type": "string" } } });
        let report = |key: String| {
            let value = json!({ key: [1, 2, 3] });
            Work::of(schema.as_object().unwrap(), &value, 1_000).unwrap().report
        };
        assert!(report("k".repeat(10_000)) > report("k".to_owned()) + 30_000);
    }

    #[test]
    fn the_report_of_a_choice_is_counted_on_its_own() {
        let schema =
            json!({ "properties": { "a": { "anyOf": [{ "type": "string" }, { "type": "null" }] } } });
        let work = Work::of(schema.as_object().unwrap(), &json!({ "a": 1 }), 1_000).unwrap();
        assert!(work.choice >= 2 * FAULT && work.choice < work.report, "{work:?}");
    }
}
