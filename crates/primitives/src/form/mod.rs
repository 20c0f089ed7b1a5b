//! Primitives for form controls.

mod chooser;
pub(crate) mod select_option;
pub(crate) mod set_checked;
pub(crate) mod submit;
pub(crate) mod upload;
