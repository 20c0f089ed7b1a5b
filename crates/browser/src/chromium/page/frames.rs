//! The frames of a page, and their coordinates.

use async_trait::async_trait;
use chromiumoxide_cdp::cdp::browser_protocol::target::GetTargetInfoParams;

use super::ChromiumPage;
use crate::{Deadline, Error, Frame, FrameId, Frames, Point};

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
            let place = self.content_box(&at, &session, deadline).await?;
            for point in &mut points {
                *point = place.outward(*point);
            }
            at = root;
        }
        Ok(points)
    }
}
