//! Where a gesture goes.

use serde::Deserialize;

use crate::locate::Locator;

/// Where a gesture goes.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Aim {
    /// To an element.
    Locator { locator: Locator },
    /// To a point of the viewport.
    Point { x: f64, y: f64 },
}
