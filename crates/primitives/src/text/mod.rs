//! Primitives that enter text.

mod aim;
mod entry;
pub(crate) mod insert;
pub(crate) mod select;
#[path = "type.rs"]
pub(crate) mod r#type;

pub(crate) use aim::{TextTarget, target_frame};
