//! Keys.

pub(crate) mod keys;
pub(crate) mod press;
