//! Generates maps, breaks them on purpose, and checks what must hold of every result of the validator.
//!
//! [`Judge`] passes a text to [`actions_manifest::validate`] and reports the property that does not hold: no panic, every
//! finding at a place that exists, agreement with the JSON Schema, agreement with another JSON reader, and more. The
//! texts come from [`Mutation`] (every way to break one key of a map), [`TEXT_CHANGES`] (damage below the level of JSON) and
//! [`Executions`] (maps made of the format's own vocabulary, and changed at random). [`shrink`] reduces a text
//! that shows a breach.
//!
//! [`parsers`] damages texts for every parser of foreign bytes, and [`expensive`] looks for maps and inputs that take more
//! time or memory than allowed.

mod corpus;
mod executions;
pub mod expensive;
pub mod expr;
mod generate;
mod giant;
mod judge;
mod mutation;
pub mod parsers;
mod place;
mod plain_json;
mod properties;
mod random;
mod shrink;
mod text_change;
mod value_change;
mod write;

pub use corpus::{SiteMap, expressions, rule_fixtures, site_maps, slices};
pub use executions::Executions;
pub use generate::Generator;
pub use giant::{GIANTS, Giant};
pub use judge::{Breach, Judge, Verdict};
pub use mutation::{Change, KeyPlace, Mutation, keys};
pub use plain_json::PlainJson;
pub use random::Random;
pub use shrink::shrink;
pub use text_change::{TEXT_CHANGES, TextChange};
