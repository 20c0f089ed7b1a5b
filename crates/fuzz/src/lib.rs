//! Maps made at random and broken on purpose, and what must hold of every answer the validator gives to them.
//!
//! [`Judge`] puts a text before [`actions_manifest::check`] and tells which property does not hold: no panic, every
//! finding at a place that exists, agreement with the JSON Schema, agreement with another JSON reader, and more. The
//! texts come from [`Mutation`] (every way to break one key of a map) and [`TEXT_CHANGES`] (damage below the level of JSON).

mod corpus;
mod judge;
mod mutation;
mod place;
mod plain_json;
mod properties;
mod random;
mod text_change;
mod write;

pub use corpus::{SiteMap, rule_fixtures, site_maps, slices};
pub use judge::{Breach, Judge};
pub use mutation::{Change, KeyPlace, Mutation, keys};
pub use plain_json::PlainJson;
pub use random::Random;
pub use text_change::{TEXT_CHANGES, TextChange};
