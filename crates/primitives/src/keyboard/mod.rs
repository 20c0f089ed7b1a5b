//! Keyboard primitives and the key table.

pub(crate) mod keys;
pub(crate) mod press;
pub(crate) mod press_gated;
