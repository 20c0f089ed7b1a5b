//! The position of a frame in the viewport of its parent's process.

use chromiumoxide_cdp::cdp::browser_protocol::dom::{BoxModel, GetBoxModelParams};

use super::ChromiumPage;
use crate::cdp::Session;
use crate::{Deadline, Error, FrameId, Point};

impl ChromiumPage {
    /// The parent of a frame, and the frame whose viewport the parent's process uses for coordinates: the parent's
    /// outermost ancestor in the same process. `None` for the main frame.
    pub(super) fn next_outward(&self, frame: &FrameId) -> Result<Option<(FrameId, FrameId)>, Error> {
        let state = self.state();
        if let Some(error) = &state.ended {
            return Err(error.clone());
        }
        let known = state.frame(frame).ok_or_else(|| Error::FrameDetached { frame: frame.clone() })?;
        let Some(parent) = &known.parent else { return Ok(None) };
        let mut root = parent.clone();
        while let Some(inner) = state.frame(&root)
            && let Some(above) = &inner.parent
            && let Some(outer) = state.frame(above)
            && shares_process(inner.home.as_ref(), outer.home.as_ref())
        {
            root = above.clone();
        }
        Ok(Some((parent.clone(), root)))
    }

    /// Measures the box in which a parent's process shows a frame.
    pub(super) async fn content_box(
        &self,
        frame: &FrameId,
        parent: &Session,
        deadline: Deadline,
    ) -> Result<ContentBox, Error> {
        let owner = self.owner_of(frame, parent, deadline).await?;
        let command = GetBoxModelParams { backend_node_id: Some(owner), ..GetBoxModelParams::default() };
        let not_rendered = || Error::FrameNotRendered { frame: frame.clone() };
        let measured = self.answer(parent.send(command, deadline)).await.map_err(|error| match error {
            Error::Refused { .. } => not_rendered(),
            other => other,
        })?;
        ContentBox::of(&measured.model).ok_or_else(not_rendered)
    }
}

fn shares_process(one: Option<&Session>, other: Option<&Session>) -> bool {
    matches!((one, other), (Some(one), Some(other)) if one.is_same(other))
}

/// The content box of a frame element in the viewport, after all transforms.
#[derive(Debug, PartialEq)]
pub(super) struct ContentBox {
    corner: Point,
    /// One frame pixel to the right, in viewport pixels.
    right: Point,
    /// One frame pixel down, in viewport pixels.
    down: Point,
}

impl ContentBox {
    /// `None` if the box has no area.
    fn of(model: &BoxModel) -> Option<Self> {
        let content = corners(model.content.inner())?;
        let border = corners(model.border.inner())?;
        // The browser reports only the untransformed size of the border box; the content box scales with it.
        let width = model.width as f64 * length(content[0], content[1]) / length(border[0], border[1]);
        let height = model.height as f64 * length(content[0], content[3]) / length(border[0], border[3]);
        if !(width > 0.0 && height > 0.0) {
            return None;
        }
        let step = |to: Point, pixels: f64| {
            Point::new((to.x - content[0].x) / pixels, (to.y - content[0].y) / pixels)
        };
        Some(Self { corner: content[0], right: step(content[1], width), down: step(content[3], height) })
    }

    /// Maps a point of the frame to the viewport.
    pub(super) fn outward(&self, inner: Point) -> Point {
        Point::new(
            self.corner.x + inner.x * self.right.x + inner.y * self.down.x,
            self.corner.y + inner.x * self.right.y + inner.y * self.down.y,
        )
    }
}

/// Four corners, clockwise from the upper left.
fn corners(quad: &[f64]) -> Option<[Point; 4]> {
    let &[ax, ay, bx, by, cx, cy, dx, dy] = quad else { return None };
    Some([Point::new(ax, ay), Point::new(bx, by), Point::new(cx, cy), Point::new(dx, dy)])
}

fn length(from: Point, to: Point) -> f64 {
    (to.x - from.x).hypot(to.y - from.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chromiumoxide_cdp::cdp::browser_protocol::dom::Quad;

    fn model(content: [f64; 8], border: [f64; 8], width: i64, height: i64) -> BoxModel {
        let quad = |corners: [f64; 8]| Quad::new(corners.to_vec());
        BoxModel {
            content: quad(content),
            padding: quad(content),
            border: quad(border),
            margin: quad(border),
            width,
            height,
            shape_outside: None,
        }
    }

    #[test]
    fn border_and_padding_shift_the_frame() {
        let place = ContentBox::of(&model(
            [42.0, 52.0, 442.0, 52.0, 442.0, 352.0, 42.0, 352.0],
            [30.0, 40.0, 454.0, 40.0, 454.0, 364.0, 30.0, 364.0],
            424,
            324,
        ))
        .unwrap();
        assert_eq!(place.outward(Point::new(10.0, 20.0)), Point::new(52.0, 72.0));
    }

    #[test]
    fn a_scaled_frame_scales_its_points() {
        let place = ContentBox::of(&model(
            [1.0, 35.0, 151.0, 35.0, 151.0, 135.0, 1.0, 135.0],
            [0.0, 34.0, 152.0, 34.0, 152.0, 136.0, 0.0, 136.0],
            304,
            204,
        ))
        .unwrap();
        let point = place.outward(Point::new(140.0, 75.0));
        assert!((point.x - 71.0).abs() < 1e-9 && (point.y - 72.5).abs() < 1e-9, "{point:?}");
    }

    #[test]
    fn a_frame_turned_by_a_quarter_turns_its_points() {
        let quad = [100.0, 0.0, 100.0, 200.0, 0.0, 200.0, 0.0, 0.0];
        let place = ContentBox::of(&model(quad, quad, 200, 100)).unwrap();
        assert_eq!(place.outward(Point::new(10.0, 0.0)), Point::new(100.0, 10.0));
        assert_eq!(place.outward(Point::new(0.0, 10.0)), Point::new(90.0, 0.0));
    }

    #[test]
    fn a_frame_without_area_has_no_place() {
        assert_eq!(ContentBox::of(&model([0.0; 8], [0.0; 8], 0, 0)), None);
    }
}
