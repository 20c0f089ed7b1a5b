use serde::Deserialize;
use serde_json::Value;

/// Where a gesture goes.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Aim {
    /// To an element.
    Locator { locator: Value },
    /// To a point of the viewport.
    Point { x: f64, y: f64 },
}
