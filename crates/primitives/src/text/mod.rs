//! Primitives that enter text.

pub(crate) mod aim;
pub(crate) mod insert;
#[path = "type.rs"]
pub(crate) mod r#type;
