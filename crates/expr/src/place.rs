//! A place in the source of an expression.

/// A range of bytes in the source of an expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The byte offset where it starts.
    pub offset: usize,
    /// Its length in bytes; zero at the end of the source.
    pub len: usize,
}

impl Place {
    /// The place of `len` bytes from `offset`.
    pub const fn new(offset: usize, len: usize) -> Self {
        Place { offset, len }
    }

    /// The offset after the last byte.
    pub const fn end(self) -> usize {
        self.offset + self.len
    }

    /// The smallest place that covers both.
    pub(crate) fn to(self, other: Place) -> Place {
        let offset = self.offset.min(other.offset);
        Place { offset, len: self.end().max(other.end()) - offset }
    }
}
