//! Which events of a gesture the page script watches, and how it prepares the target.

use actions_browser::FrameId;
use serde_json::{Value, json};

use super::pending_confirmation::PendingConfirmation;
use crate::patience::Patience;
use crate::scene::Scene;

/// Which events of a gesture the page script watches, and how it prepares the target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    /// The event that ends the gesture.
    pub(crate) until: &'static str,
    /// How many times the button is released before that event.
    pub(crate) releases: u8,
    /// Whether the gesture may go to the label of a control that cannot be clicked itself.
    pub(crate) through_label: bool,
    /// Whether this is the end of a drag: it is not scrolled into view, because the gesture begins elsewhere.
    pub(crate) far_end: bool,
    /// Whether the gesture may go to a disabled element, as the pointer may.
    pub(crate) to_disabled: bool,
    /// Whether the page script blocks a gesture that begins on another element.
    pub(crate) blocks: bool,
}

impl Watch {
    /// A gesture that ends with `event` after so many releases of the button.
    pub(crate) const fn until(event: &'static str, releases: u8) -> Self {
        Self {
            until: event,
            releases,
            through_label: false,
            far_end: false,
            to_disabled: false,
            blocks: true,
        }
    }

    /// The call that waits until the page has received the gesture.
    pub(super) fn pending<'s>(self, scene: &Scene<'s>, frame: &FrameId) -> PendingConfirmation<'s> {
        match self.until {
            "click" | "auxclick" => PendingConfirmation::with_press(scene, frame),
            _ => PendingConfirmation::new(scene, frame),
        }
    }

    /// The arguments that make the page script watch the gesture.
    pub(super) fn args(self, scene: &Scene<'_>, gesture: &str) -> Value {
        json!({
            "gesture": gesture,
            "until": self.until,
            "releases": self.releases,
            "guard": self.blocks && !self.far_end,
            "beside": self.far_end,
            "gesture_timeout_ms": Patience::of_call(scene).left_ms(scene),
        })
    }
}
