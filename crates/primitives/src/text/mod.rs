//! Text into fields.

pub(crate) mod aim;
pub(crate) mod insert;
#[path = "type.rs"]
pub(crate) mod r#type;
