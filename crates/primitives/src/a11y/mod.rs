//! Primitives for the accessibility tree, as the browser computes it.

pub(crate) mod announcements_subscribe;
pub(crate) mod events;
pub(crate) mod query;
pub(crate) mod tree;
pub(crate) mod watch;

use actions_browser::Error;

/// Whether a failure only says that a document or a node went away while the tree was read.
fn went_away(error: &Error) -> bool {
    matches!(
        error,
        Error::HandleStale
            | Error::FrameDetached { .. }
            | Error::FrameCrashed { .. }
            | Error::FrameNotRendered { .. }
            | Error::DocumentReplaced { .. }
    )
}
