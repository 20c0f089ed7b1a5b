//! Pages that do the same on every load: a clock that stands still, and random numbers from a seed.

use serde_json::json;

/// The function that the script calls.
const STEADY: &str = include_str!("../js/driver/steady.js");

/// How the time of day and random numbers come about in the pages of a context, in their frames and in their workers.
///
/// Timers, frames and requests of a page run as always; what they read of the clock does not depend on how fast. Keys that
/// the page lets the browser generate, and the times of `performance.getEntries`, are not covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steady {
    /// The time of day when a document begins, in milliseconds since 1970.
    pub unix_millis: u64,
    /// What decides about random numbers.
    pub seed: u32,
    /// Whether the clock moves to where a timer or a frame of the page expects it. Without that, code that waits until
    /// enough time has passed waits for ever.
    pub moves: bool,
}

impl Steady {
    /// The script that makes it so. It holds two numbers and a boolean, and nothing from outside.
    pub(crate) fn script(self) -> String {
        let arguments = json!([self.unix_millis, self.seed, self.moves]);
        format!("({STEADY})(...{arguments})")
    }
}
