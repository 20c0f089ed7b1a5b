//! Scrolling.

pub(crate) mod scroll;
