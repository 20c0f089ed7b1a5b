//! Primitives that enter text.

mod aim;
mod entry;
pub(crate) mod insert;
#[path = "type.rs"]
pub(crate) mod r#type;
