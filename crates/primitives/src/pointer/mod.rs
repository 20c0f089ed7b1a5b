//! Primitives that move the pointer, click and drag.

pub(crate) mod click;
pub(crate) mod double_click;
pub(crate) mod drag;
#[path = "move.rs"]
pub(crate) mod r#move;
