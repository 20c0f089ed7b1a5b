//! How much a schema asks for, whatever the value.

use std::collections::{HashMap, HashSet};

use actions_protocol::limits;

use super::{References, Schema, named, on_parts, on_same_value, patterns, states};

/// Why a schema is too much to compile or to evaluate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// It has more parts than allowed.
    TooManyParts,
    /// More schemas than allowed apply to one value.
    TooManyAtOnce,
    /// It refers to itself without going into the value.
    Endless,
    /// Its patterns are larger than allowed.
    PatternsTooLarge,
}

/// Schemas that apply to one value lead to each other at most this many levels deep.
const LEVELS: usize = 64;

/// What a schema that refers to itself would expand to.
const ENDLESS: usize = usize::MAX;

impl Extent {
    /// Why a schema is too much, if it is.
    pub(crate) fn excess(root: &Schema) -> Option<Self> {
        let mut survey = Survey { references: References::of(root), sizes: HashMap::new() };
        let mut met = HashSet::from([std::ptr::from_ref(root)]);
        let mut open = vec![root];
        let mut states_of_all = 0_usize;
        while let Some(schema) = open.pop() {
            match survey.at_once(schema, 0) {
                ENDLESS => return Some(Self::Endless),
                size if size > limits::SCHEMA_AT_ONCE => return Some(Self::TooManyAtOnce),
                _ => {}
            }
            for pattern in patterns(schema) {
                states_of_all = states_of_all.saturating_add(states(pattern));
            }
            if states_of_all > limits::PATTERN_STATES {
                return Some(Self::PatternsTooLarge);
            }
            let declared = ["$defs", "definitions"].into_iter().flat_map(|key| named(schema, key));
            let declared = declared.map(|(_, schema)| schema);
            let further = on_same_value(schema).chain(on_parts(schema)).chain(declared);
            for further in further.chain(survey.references.from(schema).flatten()) {
                if met.insert(std::ptr::from_ref(further)) {
                    open.push(further);
                }
            }
            if met.len() > limits::SCHEMA_PARTS {
                return Some(Self::TooManyParts);
            }
        }
        None
    }
}

struct Survey<'s> {
    references: References<'s>,
    /// How many schemas each applies to one value, itself included; absent while that is being counted.
    sizes: HashMap<*const Schema, Option<usize>>,
}

impl<'s> Survey<'s> {
    /// How many schemas a schema applies to one value, with those that references lead to counted each time.
    fn at_once(&mut self, schema: &'s Schema, level: usize) -> usize {
        let here = std::ptr::from_ref(schema);
        match self.sizes.get(&here) {
            Some(Some(size)) => return *size,
            Some(None) => return ENDLESS,
            None if level > LEVELS => return ENDLESS - 1,
            None => {}
        }
        self.sizes.insert(here, None);
        let further: Vec<&'s Schema> =
            self.references.from(schema).flatten().chain(on_same_value(schema)).collect();
        let mut size = 1_usize;
        for further in further {
            let inner = self.at_once(further, level + 1);
            size = if inner == ENDLESS { ENDLESS } else { size.saturating_add(inner).min(ENDLESS - 1) };
            if size > limits::SCHEMA_AT_ONCE {
                break;
            }
        }
        self.sizes.insert(here, Some(size));
        size
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn excess(schema: Value) -> Option<Extent> {
        Extent::excess(schema.as_object().unwrap())
    }

    fn chain(levels: usize, link: impl Fn(String) -> Value) -> Value {
        let links = (0..levels).map(|n| (format!("d{n}"), link(format!("#/$defs/d{}", n + 1))));
        let last = (format!("d{levels}"), json!({ "type": "string" }));
        json!({ "$ref": "#/$defs/d0", "$defs": links.chain([last]).collect::<serde_json::Map<_, _>>() })
    }

    #[test]
    fn references_that_double_on_one_value_are_too_much() {
        let twice = |next: String| json!({ "allOf": [{ "$ref": next }, { "$ref": next }] });
        assert_eq!(excess(chain(5, twice)), None);
        assert_eq!(excess(chain(30, twice)), Some(Extent::TooManyAtOnce));
        assert_eq!(excess(chain(200, |next| json!({ "$ref": next }))), Some(Extent::TooManyAtOnce));
    }

    #[test]
    fn a_tree_may_refer_to_itself_and_a_circle_may_not() {
        let tree = json!({ "properties": { "children": { "items": { "$ref": "#" } } } });
        assert_eq!(excess(tree), None);
        assert_eq!(excess(json!({ "allOf": [{ "$ref": "#" }] })), Some(Extent::Endless));
    }

    #[test]
    fn parts_and_patterns_are_counted() {
        let properties = |count: usize| -> Value {
            let properties = (0..count).map(|n| (format!("p{n}"), json!({})));
            json!({ "properties": properties.collect::<serde_json::Map<_, _>>() })
        };
        assert_eq!(excess(properties(1_000)), None);
        assert_eq!(excess(properties(10_000)), Some(Extent::TooManyParts));
        assert_eq!(excess(json!({ "pattern": "^[a-z]{1,200}$" })), None);
        assert_eq!(excess(json!({ "pattern": "((a{100}){100}){100}" })), Some(Extent::PatternsTooLarge));
    }
}
