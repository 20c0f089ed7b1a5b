//! Tracks whether a call may have changed the page.

use actions_primitives::Failure;
use actions_protocol::ErrorCode;

use super::Run;

/// An operation that may change the page and has begun. It counts as a change until it ends, because the call may be cut
/// off meanwhile.
pub(super) struct Changing {
    /// Whether something was changed before.
    changed_before: bool,
    /// Whether a dialog was open already.
    blocked: bool,
}

impl Run<'_> {
    pub(super) fn about_to_change(&self) -> Changing {
        let begun = Changing {
            changed_before: self.progress.mutated(),
            blocked: self.stage.page().dialog().is_some(),
        };
        self.progress.set_mutated(true);
        begun
    }
}

impl Changing {
    /// Withdraws the change if the failure shows that the page was not touched.
    pub(super) fn ended(self, run: &Run<'_>, failure: Option<&Failure>) {
        let untouched = failure.is_some_and(|failure| {
            failure.code.leaves_page_untouched() || self.blocked && failure.code == ErrorCode::DialogOpen
        });
        if untouched && !self.changed_before {
            run.progress.set_mutated(false);
        }
    }
}
