//! Primitives that scroll.

pub(crate) mod scroll;
