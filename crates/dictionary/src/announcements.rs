//! What the engine adds to the output of a primitive when announcements come along with results.

/// The output field that lists what live regions of the page said since the result before, each with its `text` and its
/// `politeness`. It is present only after `a11y.announcements_subscribe`, and only when something was said. No schema
/// declares it.
pub const ANNOUNCEMENTS: &str = "announcements";
