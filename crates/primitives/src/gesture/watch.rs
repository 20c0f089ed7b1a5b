use serde_json::{Value, json};

use crate::patience::Patience;
use crate::scene::Scene;

/// What is watched of a gesture, as the page script hears it, and how its goal is made ready.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    /// The last event.
    pub(crate) until: &'static str,
    /// How often the button is released before it.
    pub(crate) releases: u8,
    /// Whether a control that cannot be reached itself may be reached by its label.
    pub(crate) through_label: bool,
    /// Whether this is the far end of a drag: it is not scrolled to, and the gesture begins elsewhere.
    pub(crate) far_end: bool,
}

impl Watch {
    /// A gesture that ends with an event after a number of releases.
    pub(crate) const fn until(event: &'static str, releases: u8) -> Self {
        Self { until: event, releases, through_label: false, far_end: false }
    }

    /// The arguments by which the page script watches the gesture.
    pub(super) fn args(self, scene: &Scene<'_>, gesture: &str) -> Value {
        json!({
            "gesture": gesture,
            "until": self.until,
            "releases": self.releases,
            "guard": !self.far_end,
            "beside": self.far_end,
            "gesture_timeout_ms": Patience::of_call(scene).left_ms(scene),
        })
    }
}
