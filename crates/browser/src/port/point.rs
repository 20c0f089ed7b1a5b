//! A point of the viewport.

/// A point in CSS pixels: of the main frame's viewport, unless a frame is named beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Point {
    /// From the left edge.
    pub x: f64,
    /// From the top edge.
    pub y: f64,
}

impl Point {
    /// The point at these coordinates.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// How far it is to another point.
    pub fn distance(self, to: Self) -> f64 {
        (to.x - self.x).hypot(to.y - self.y)
    }
}
