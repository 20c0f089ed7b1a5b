//! Primitives that move the pointer, click, drag and turn the wheel.

pub(crate) mod click;
pub(crate) mod double_click;
pub(crate) mod drag;
#[path = "move.rs"]
pub(crate) mod r#move;
pub(crate) mod move_to;
pub(crate) mod wheel;
