//! Handles on elements, and the frames that elements show.

use async_trait::async_trait;
use serde_json::Value;

use super::Handle;
use crate::{Deadline, Error, FrameId};

/// Handles on elements, and the frames that elements show.
#[async_trait]
pub trait Elements: Send + Sync {
    /// Returns a handle on the element that a locator resolves to, or `None` if no element matches.
    async fn pick(
        &self,
        frame: &FrameId,
        locator: &Value,
        nodes: &[Handle],
        deadline: Deadline,
    ) -> Result<Option<Handle>, Error>;

    /// Releases handles. The browser releases the handles of a document by itself when the document is replaced.
    fn release(&self, handles: &[Handle]);

    /// The frame that a frame element shows.
    async fn content_frame(&self, element: &Handle, deadline: Deadline) -> Result<Option<FrameId>, Error>;

    /// The element that shows a frame, in the document of the frame's parent.
    async fn frame_element(&self, frame: &FrameId, deadline: Deadline) -> Result<Handle, Error>;

    /// Finds the closed shadow roots of a frame's document that no earlier call has returned, outer ones first. From
    /// then on the page script enters them. The cost is a walk over what is new in the document.
    async fn closed_shadow_roots(&self, frame: &FrameId, deadline: Deadline) -> Result<Vec<Handle>, Error>;
}
