//! Finding elements.

pub(crate) mod element_info;
