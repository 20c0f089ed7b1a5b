//! Primitives for the tabs of a session.

pub(crate) mod activate;
pub(crate) mod list;
