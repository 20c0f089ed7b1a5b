//! Primitives for what live regions said.

pub(crate) mod read;
