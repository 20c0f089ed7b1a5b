//! What one evaluation may use.

use std::time::Duration;

use actions_protocol::limits;

/// The bounds of one evaluation. Every bound has an error of its own kind; nothing is cut short silently.
///
/// ```
/// use actions_expr::Budget;
/// let budget = Budget { max_bytes: 32_000, ..Budget::default() };
/// assert_eq!(budget.max_time.as_secs(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The most bytes the result may have as compact JSON in UTF-8 (`expression_output_too_large`).
    pub max_bytes: usize,
    /// The most nested evaluations; a call of a function costs about three (`expression_budget_exceeded`).
    pub max_depth: usize,
    /// The most items any one sequence may have on the way (`expression_budget_exceeded`).
    pub max_sequence: usize,
    /// The most bytes of strings, ranges and repeated items that may be built on the way, and the most any one value may
    /// have (`expression_budget_exceeded`).
    pub max_memory: usize,
    /// The longest an evaluation may take (`expression_budget_exceeded`).
    pub max_time: Duration,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            max_bytes: limits::EXPRESSION_BYTES.0,
            max_depth: 3_000,
            max_sequence: 100_000,
            max_memory: 64 * 1024 * 1024,
            max_time: limits::EXPRESSION_TIME.duration(),
        }
    }
}
