//! Primitives for debugging. The policy must allow them.

pub(crate) mod run_javascript;
