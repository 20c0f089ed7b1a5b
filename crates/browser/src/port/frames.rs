//! The frames of a page: where they are, what they show, and how their coordinates relate.

use async_trait::async_trait;

use super::{Frame, Point};
use crate::{Deadline, Error, FrameId};

/// The frames of a page: where they are, what they show, and how their coordinates relate.
#[async_trait]
pub trait Frames: Send + Sync {
    /// The address of the main frame's document.
    fn url(&self) -> String;

    /// The title of the main frame's document.
    async fn title(&self, deadline: Deadline) -> Result<String, Error>;

    /// The id of the main frame.
    fn main_frame(&self) -> FrameId;

    /// All frames: the main frame first, and every frame after its parent.
    fn frames(&self) -> Vec<Frame>;

    /// Waits until a frame and those around it have been painted for the first time, up to one second each. Until then
    /// the browser sends mouse events at their positions elsewhere. Costs no round trip.
    async fn wait_for_paint(&self, frame: &FrameId, deadline: Deadline) -> Result<(), Error>;

    /// Maps points of a frame's viewport to the main frame's viewport. Input at the returned points reaches the frame: if
    /// the frame has not been painted yet, this waits for its first paint, up to one second.
    async fn to_viewport(
        &self,
        frame: &FrameId,
        points: &[Point],
        deadline: Deadline,
    ) -> Result<Vec<Point>, Error>;
}
