//! Primitives for the session itself.

pub(crate) mod finalize_tabs;
pub(crate) mod log;
pub(crate) mod name;
