//! The dictionary: finds primitives and shared schemas by name.

use std::sync::{LazyLock, OnceLock};

use crate::bundle::bundle_shared;
use crate::closest::closest;
use crate::embedded;
use crate::primitive::Primitive;
use crate::schema::Schema;

/// Every primitive a map may name.
///
/// A look-up parses the one file it needs; names alone need no parsing at all.
#[derive(Debug)]
pub struct Dictionary {
    entries: Vec<Entry>,
    shared: Vec<(&'static str, Schema)>,
}

/// Files of `_shared` that no schema refers to.
const NOT_SCHEMAS: [&str; 2] = ["common_errors", "primitive.schema"];

#[derive(Debug)]
struct Entry {
    name: &'static str,
    text: &'static str,
    primitive: OnceLock<Primitive>,
}

impl Entry {
    fn primitive(&self) -> &Primitive {
        self.primitive.get_or_init(|| {
            Primitive::parse(self.text).expect("the tests of this crate parse every embedded file")
        })
    }
}

impl Dictionary {
    /// The dictionary this engine was built with.
    pub fn builtin() -> &'static Dictionary {
        static BUILTIN: LazyLock<Dictionary> = LazyLock::new(|| Dictionary {
            entries: embedded::PRIMITIVES
                .iter()
                .map(|&(name, text)| Entry { name, text, primitive: OnceLock::new() })
                .collect(),
            shared: embedded::SHARED
                .iter()
                .filter(|(name, _)| !NOT_SCHEMAS.contains(name))
                .map(|&(name, _)| (name, Schema::lazy(move || bundle_shared(name))))
                .collect(),
        });
        &BUILTIN
    }

    /// Finds a primitive by its exact name.
    pub fn get(&self, name: &str) -> Option<&Primitive> {
        let place = self.entries.binary_search_by_key(&name, |entry| entry.name).ok()?;
        Some(self.entries[place].primitive())
    }

    /// Whether a primitive has this exact name.
    pub fn contains(&self, name: &str) -> bool {
        self.entries.binary_search_by_key(&name, |entry| entry.name).is_ok()
    }

    /// Every primitive, ordered by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Primitive> {
        self.entries.iter().map(Entry::primitive)
    }

    /// The names of the primitives for which `holds` is true, in order: what a message lists as allowed.
    pub fn names_where(&self, holds: impl Fn(&Primitive) -> bool) -> Vec<&'static str> {
        self.entries.iter().filter(|entry| holds(entry.primitive())).map(|entry| entry.name).collect()
    }

    /// Every name, in order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &'static str> {
        self.entries.iter().map(|entry| entry.name)
    }

    /// A schema that several primitives share, such as `locator` or `extract_item`, for the other places of a map
    /// that hold the same thing.
    ///
    /// ```
    /// use actions_dictionary::Dictionary;
    /// use serde_json::json;
    ///
    /// let locator = Dictionary::builtin().shared("locator").expect("it is in the dictionary");
    /// assert!(locator.is_valid(&json!({"role": "button", "name": "Save"})));
    /// assert!(!locator.is_valid(&json!({"nth": 2})));
    /// ```
    pub fn shared(&self, name: &str) -> Option<&Schema> {
        self.shared.iter().find(|(known, _)| *known == name).map(|(_, schema)| schema)
    }

    /// The name a person most likely meant by one that is not in the dictionary.
    pub fn closest(&self, name: &str) -> Option<&'static str> {
        closest(name, self.names())
    }
}
