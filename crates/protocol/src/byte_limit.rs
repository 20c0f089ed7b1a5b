//! A budget in bytes.

use std::fmt;

use serde::Serialize;

/// A budget in bytes, measured on compact UTF-8 JSON.
///
/// ```
/// use actions_protocol::ByteLimit;
/// assert!(ByteLimit(12_000).allows(12_000));
/// assert!(!ByteLimit(12_000).allows(12_001));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct ByteLimit(pub usize);

impl ByteLimit {
    /// Whether a text of `bytes` bytes stays within the budget.
    pub const fn allows(self, bytes: usize) -> bool {
        bytes <= self.0
    }

    /// The requested limit, or this one if it is smaller or none is requested.
    pub fn cap(self, requested: Option<ByteLimit>) -> ByteLimit {
        requested.map_or(self, |requested| requested.min(self))
    }
}

crate::whole_number::whole_number!(ByteLimit(usize), "a whole number of bytes");

impl fmt::Display for ByteLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0)
    }
}
