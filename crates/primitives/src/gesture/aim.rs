//! The target of a gesture, as arguments name it.

use serde::Deserialize;

use crate::locate::Locator;

/// The target of a gesture, as arguments name it.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Aim {
    /// An element.
    Locator { locator: Locator },
    /// A point of the viewport.
    Point { x: f64, y: f64 },
}
