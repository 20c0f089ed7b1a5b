//! The frames of a page, and their coordinates.

use std::time::Duration;

use async_trait::async_trait;
use chromiumoxide_cdp::cdp::browser_protocol::target::GetTargetInfoParams;

use super::ChromiumPage;
use crate::cdp::Session;
use crate::{Deadline, Error, Frame, FrameId, Frames, Point};

/// How long to wait for the first paint of a frame in another process. A document may have nothing to paint.
const PAINT_TIMEOUT: Duration = Duration::from_secs(1);

#[async_trait]
impl Frames for ChromiumPage {
    fn url(&self) -> String {
        self.state().main_frame().map(|frame| frame.url.clone()).unwrap_or_default()
    }

    async fn title(&self, deadline: Deadline) -> Result<String, Error> {
        if let Some(error) = self.ending() {
            return Err(error);
        }
        let command = GetTargetInfoParams { target_id: None };
        Ok(self.session.send(command, deadline).await?.target_info.title)
    }

    fn main_frame(&self) -> FrameId {
        self.state().main.clone()
    }

    fn frames(&self) -> Vec<Frame> {
        self.state().list()
    }

    async fn wait_for_paint(&self, frame: &FrameId, deadline: Deadline) -> Result<(), Error> {
        let mut at = frame.clone();
        while let Some((parent, root)) = self.next_outward(&at)? {
            let session = self.home_of(&parent, deadline).await?;
            self.wait_for_paint_in(&at, &session, deadline).await?;
            at = root;
        }
        Ok(())
    }

    /// Maps the points outwards, through every process between the frame and the main frame.
    async fn to_viewport(
        &self,
        frame: &FrameId,
        points: &[Point],
        deadline: Deadline,
    ) -> Result<Vec<Point>, Error> {
        let mut points = points.to_vec();
        let mut at = frame.clone();
        while let Some((parent, root)) = self.next_outward(&at)? {
            self.refuse_if_blocked()?;
            let session = self.home_of(&parent, deadline).await?;
            self.wait_for_paint_in(&at, &session, deadline).await?;
            let place = self.content_box(&at, &session, deadline).await?;
            for point in &mut points {
                *point = place.outward(*point);
            }
            at = root;
        }
        Ok(points)
    }
}

impl ChromiumPage {
    /// Waits until a frame of another process than its parent's has painted its document. Until then the browser sends
    /// mouse events at its position to the parent, and a click on the frame is lost.
    async fn wait_for_paint_in(
        &self,
        frame: &FrameId,
        parent: &Session,
        deadline: Deadline,
    ) -> Result<(), Error> {
        let painted = self
            .until(
                deadline.at_most(&**self.clock(), PAINT_TIMEOUT),
                |_| (format!("the first paint of frame {frame}"), None),
                |state| match state.frame(frame) {
                    None => Some(Err(Error::FrameDetached { frame: frame.clone() })),
                    Some(known) if known.crashed => Some(Err(Error::FrameCrashed { frame: frame.clone() })),
                    Some(known) => {
                        let in_process = known.home.as_ref().is_some_and(|home| home.is_same(parent));
                        (known.painted || in_process).then_some(Ok(()))
                    }
                },
            )
            .await;
        match painted {
            // The document paints nothing; the next call need not wait again.
            Err(Error::Timeout { .. }) => {
                self.update(|state| {
                    if let Some(known) = state.frames.get_mut(frame) {
                        known.painted = true;
                    }
                });
                Ok(())
            }
            other => other,
        }
    }
}
