//! The transform from the viewport of a frame to the viewport around it.

use serde::Deserialize;
use serde_json::{Value, json};

/// The transform from the viewport of a frame to the viewport around it: a CSS `matrix()`, and by `g` and `h` how far a
/// point is away from the viewer. Both are 0 without perspective.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Matrix {
    a: f64,
    b: f64,
    c: f64,
    d: f64,
    e: f64,
    f: f64,
    g: f64,
    h: f64,
}

impl Matrix {
    /// Transforms a box and returns the box around the result; `None` if `rect` has no edges, or a part of it lies behind
    /// the viewer.
    pub(crate) fn around(&self, rect: &Value) -> Option<Value> {
        let edge = |name: &str| rect[name].as_f64();
        let (left, top, right, bottom) = (edge("left")?, edge("top")?, edge("right")?, edge("bottom")?);
        let corners = [(left, top), (right, top), (left, bottom), (right, bottom)];
        if corners.iter().any(|(x, y)| self.depth(*x, *y) <= 0.0) {
            return None;
        }
        let corners = corners.map(|(x, y)| {
            let depth = self.depth(x, y);
            ((self.a * x + self.c * y + self.e) / depth, (self.b * x + self.d * y + self.f) / depth)
        });
        let (mut low, mut high) = (corners[0], corners[0]);
        for (x, y) in corners {
            low = (low.0.min(x), low.1.min(y));
            high = (high.0.max(x), high.1.max(y));
        }
        let round = |value: f64| (value * 100.0).round() / 100.0;
        let (left, top, right, bottom) = (round(low.0), round(low.1), round(high.0), round(high.1));
        Some(json!({
            "x": left, "y": top, "width": round(right - left), "height": round(bottom - top),
            "left": left, "top": top, "right": right, "bottom": bottom,
        }))
    }

    fn depth(&self, x: f64, y: f64) -> f64 {
        self.g * x + self.h * y + 1.0
    }
}
