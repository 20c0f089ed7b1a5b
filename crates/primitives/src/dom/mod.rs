//! The document: reading records, focus.

pub(crate) mod extract;
pub(crate) mod focus;
