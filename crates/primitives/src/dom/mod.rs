//! Focus.

pub(crate) mod focus;
