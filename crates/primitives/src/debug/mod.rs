//! Primitives for debugging, off unless somebody allows them.

pub(crate) mod run_javascript;
