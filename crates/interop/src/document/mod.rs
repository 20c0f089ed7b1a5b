//! A document that is imported: where it comes from, what the caller wants of it, and what its addresses mean.

mod error;
mod site;
mod slot;
mod source;
mod wishes;

pub use error::ImportError;
pub(crate) use site::{Refused, Site, names_in};
pub(crate) use slot::{given, slot};
pub use source::Source;
pub use wishes::{Prefer, Wishes};
