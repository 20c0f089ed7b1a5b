use std::sync::{LazyLock, OnceLock};

use crate::closest::closest;
use crate::embedded;
use crate::primitive::Primitive;

/// Every primitive a map may name.
///
/// A look-up parses the one file it needs; names alone need no parsing at all.
#[derive(Debug)]
pub struct Dictionary {
    entries: Vec<Entry>,
}

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

    /// Every name, in order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &'static str> {
        self.entries.iter().map(|entry| entry.name)
    }

    /// The name a person most likely meant by one that is not in the dictionary.
    pub fn closest(&self, name: &str) -> Option<&'static str> {
        closest(name, self.names())
    }
}
