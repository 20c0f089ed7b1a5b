//! Primitives for the tab that calls run on by default.

pub(crate) mod set;
