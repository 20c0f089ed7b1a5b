//! The identity of a frame.

use std::fmt;
use std::sync::Arc;

/// The identity of a frame: the same for as long as the frame is part of its page, whatever process it lives in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameId(Arc<str>);

impl FrameId {
    /// An id as the browser gives it.
    pub fn new(id: impl Into<Arc<str>>) -> Self {
        Self(id.into())
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FrameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
