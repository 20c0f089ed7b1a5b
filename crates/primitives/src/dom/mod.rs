//! Primitives for the document: reading records, and focus.

pub(crate) mod extract;
pub(crate) mod focus;
