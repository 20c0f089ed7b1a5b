//! The target of a gesture, as arguments name it.

use actions_browser::Point;
use serde::Deserialize;

use crate::locate::Locator;

/// The target of a gesture, as arguments name it.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Aim {
    /// An element, and where in it if not at a point that is chosen for it.
    Locator { locator: Locator, offset: Option<Point> },
    /// A point of the viewport.
    Point { x: f64, y: f64 },
}
