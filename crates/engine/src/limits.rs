//! The limits of a call.

use std::time::Duration;

use actions_expr::Budget;
use actions_protocol::{ByteLimit, Millis, limits};

/// How much time, space and repetition a call may use. A map can ask for less, never for more.
///
/// ```
/// use actions_engine::Limits;
///
/// let limits = Limits::default().with(|limits| limits.max_steps = 10);
/// assert_eq!(limits.max_items, 50);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Steps of one workflow.
    pub max_steps: usize,
    /// Items of one loop.
    pub max_items: usize,
    /// Attempts of one retried step.
    pub max_attempts: usize,
    /// Calls within calls.
    pub max_depth: usize,
    /// The value of one expression, as compact JSON.
    pub expression_bytes: ByteLimit,
    /// The value of a workflow, as compact JSON.
    pub output_bytes: ByteLimit,
    /// The time one expression may take.
    pub expression_time: Millis,
    /// The time a call may take when the caller does not say.
    pub call_timeout: Millis,
    /// The time between two attempts when the page does not change.
    pub retry_pause: Millis,
    /// The least time from the start of one human-visible primitive to the start of the next.
    pub pace: Millis,
    /// The time the state and the target of a tool may take to come: pages are ready later than their documents.
    pub precondition_timeout: Millis,
    /// A whole state, as compact JSON, when the caller does not say.
    pub state_bytes: ByteLimit,
    /// A summary, as compact JSON, when the caller does not say.
    pub summary_bytes: ByteLimit,
    /// The time a page may take to become what a projection describes.
    pub state_patience: Millis,
    /// The time a postcondition may take to come true when the map does not say.
    pub postcondition_timeout: Millis,
    /// The time a state that a transition leads to may take to come before the call reports that it did not.
    pub arrival_timeout: Millis,
}

/// The value of an expression and of a workflow without a page.
const REQUEST_BYTES: ByteLimit = ByteLimit(512 << 10);

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_steps: limits::STEPS,
            max_items: limits::ITEMS,
            max_attempts: limits::ATTEMPTS,
            max_depth: limits::CALL_DEPTH,
            expression_bytes: limits::EXPRESSION_BYTES,
            output_bytes: limits::OUTPUT_BYTES,
            expression_time: limits::EXPRESSION_TIME,
            call_timeout: limits::CALL_TIMEOUT,
            retry_pause: limits::RETRY_PAUSE,
            pace: Millis(0),
            precondition_timeout: limits::PRECONDITION_TIMEOUT,
            state_bytes: limits::STATE_BYTES,
            summary_bytes: limits::SUMMARY_BYTES,
            state_patience: limits::STATE_PATIENCE,
            postcondition_timeout: limits::POSTCONDITION_TIMEOUT,
            arrival_timeout: limits::ARRIVAL_TIMEOUT,
        }
    }
}

impl Limits {
    /// Changes some of the limits.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// The limits of a tool that works on no page: what sites answer may be larger than what pages show, and is bounded where
    /// it is read.
    pub(crate) fn of_requests(&self) -> Self {
        let larger = |limit: ByteLimit| ByteLimit(limit.0.max(REQUEST_BYTES.0));
        Self {
            expression_bytes: larger(self.expression_bytes),
            output_bytes: larger(self.output_bytes),
            ..self.clone()
        }
    }

    /// The budget of one expression.
    pub(crate) fn budget(&self) -> Budget {
        Budget {
            max_bytes: self.expression_bytes.0,
            max_time: Duration::from_millis(self.expression_time.0),
            ..Budget::default()
        }
    }
}
