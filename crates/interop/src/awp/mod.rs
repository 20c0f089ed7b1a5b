//! The Agent Web Protocol: reads an `agent.json`, checks it, and translates its actions.
//!
//! Version 0.2 has one dialect. Lenient reading accepts what the validator of the protocol accepts; strict reading asks for
//! everything that the specification asks for.

mod action;
mod auth;
mod endpoint;
mod errors;
mod import;
mod read;
pub mod rules;
mod types;

pub use import::import;
pub use read::check;
