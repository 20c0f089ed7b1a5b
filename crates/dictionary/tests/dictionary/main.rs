//! The dictionary checks itself, and the crate is checked on the dictionary.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking, too")]

mod args;
mod defaults;
mod files;
mod holes;
mod output_path;
mod schema;
mod soundness;
mod table;
