//! A frame of a page.

use crate::FrameId;

/// What is known of a frame without asking the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its identity.
    pub id: FrameId,
    /// The frame it is part of; the main frame has none.
    pub parent: Option<FrameId>,
    /// The address of its document.
    pub url: String,
}
