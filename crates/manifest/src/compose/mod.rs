//! A map and the maps it imports, read by the same rules and put together under one set of names.

mod exposed;
mod part;
mod read;

pub use exposed::{Exposed, ExposedKind};
pub use part::Part;
pub(crate) use read::read;

/// A map with everything it imports; the first part is the map itself.
#[derive(Debug)]
pub(crate) struct Composition {
    parts: Vec<Part>,
}

impl Composition {
    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    pub(crate) fn parts_mut(&mut self) -> &mut [Part] {
        &mut self.parts
    }

    /// The map itself.
    pub(crate) fn root(&self) -> Option<&Part> {
        self.parts.first()
    }
}
