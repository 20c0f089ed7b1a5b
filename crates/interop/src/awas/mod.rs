//! AI actions (AWAS): reads a catalogue of actions in both of its dialects, checks it, and translates its actions.
//!
//! Version 1.0 and 1.1 name members differently and mean different things by `version`. The dialect is found first; members
//! of the other one, and other names that published catalogues use, are aliases.

mod action;
mod dialect;
mod import;
mod page;
mod parameter;
mod read;
mod request;
mod result;
pub mod rules;

pub use dialect::Dialect;
pub use import::import;
pub use read::check;
