//! Primitives that find elements.

pub(crate) mod element_info;
