//! Primitives for windows over the page, and the buttons that open them.

pub(crate) mod close;
mod content;
pub(crate) mod menu;
pub(crate) mod open;
pub(crate) mod register_launcher;
