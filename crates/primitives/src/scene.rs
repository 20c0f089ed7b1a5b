//! The context of one call of a primitive: where it acts, which primitive it is, and its deadline.

use std::time::Duration;

use actions_browser::{Deadline, Page};
use actions_dictionary::Primitive;

use crate::Stage;

/// The time that the page keeps in reserve before the deadline of a call, so that its report of what it saw arrives in
/// time. The report says more than a timeout without an answer.
pub(crate) const ANSWERING: Duration = Duration::from_millis(200);

/// The context of one call of a primitive: where it acts, which primitive it is, and its deadline.
///
/// `frame_path` adds the methods that find frames, and `page_call` those that call the page script.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'s> {
    pub(crate) stage: &'s Stage,
    pub(crate) primitive: &'static Primitive,
    pub(crate) deadline: Deadline,
}

impl<'s> Scene<'s> {
    pub(crate) fn page(&self) -> &'s dyn Page {
        self.stage.page()
    }

    /// The time until the deadline.
    pub(crate) fn left(&self) -> Duration {
        self.deadline.at().saturating_duration_since(self.stage.clock().now())
    }

    /// The time that the page script may take, so that its answer arrives before the deadline.
    pub(crate) fn left_for_the_page(&self) -> Duration {
        let left = self.left();
        left - ANSWERING.min(left / 10)
    }
}
