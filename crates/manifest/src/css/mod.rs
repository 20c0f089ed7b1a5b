//! CSS selectors as Chromium takes them, read with the place of every fault.
//!
//! The tokens come from `cssparser`; the grammar on top of them is our own, because the errors of ready-made selector
//! parsers carry no places, and because a map wants more than a browser does: a browser drops an unknown pseudo-class
//! inside `:is()` in silence, closes brackets that were never closed, and finds nothing for a pseudo-element.

mod css_error;
mod grammar;
mod pseudo_class;
mod selector_list;
mod tokens;

#[cfg(test)]
mod tests;

pub use css_error::CssError;
pub use selector_list::{Alternative, SelectorList};
