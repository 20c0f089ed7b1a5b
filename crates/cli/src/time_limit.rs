//! The time of a whole command: `--timeout` counts from the start of the process until its end.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use actions_engine::CallError;
use actions_engine::browser::{Clock, Deadline, SystemClock};
use actions_protocol::{ErrorCode, Millis};

/// When the process began.
static BEGUN: OnceLock<Instant> = OnceLock::new();

/// How long before the end of the time the work ends, so that the browser can be closed in time.
const RESERVE: Duration = Duration::from_millis(200);
/// How long after the end of the time the browser may take to close. Then it is left to its keeper, or let go.
const CLOSED: Duration = Duration::from_millis(100);
/// How long closing a browser may take in a command without a limit.
const CLOSING: Duration = Duration::from_secs(10);

/// The time of a whole command, if it is limited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeLimit(Option<Deadline>);

/// Remembers when the process began.
pub(crate) fn begin() {
    BEGUN.get_or_init(Instant::now);
}

impl TimeLimit {
    /// The time that `--timeout` leaves.
    pub(crate) fn of(timeout: Option<Duration>) -> Self {
        let begun = *BEGUN.get_or_init(Instant::now);
        Self(timeout.map(|limit| Deadline::since(begun, limit)))
    }

    /// When the work ends: a moment before the command.
    pub(crate) fn work(self) -> Option<Deadline> {
        self.0.map(|end| end.earlier_by(RESERVE.min(end.limit() / 4)))
    }

    /// The deadline of work of its own length.
    pub(crate) fn or_earlier(self, deadline: Deadline) -> Deadline {
        self.work().map_or(deadline, |end| deadline.or_earlier(end))
    }

    /// The deadline of what is done after the call, such as its screenshot.
    pub(crate) fn last_work(self, deadline: Deadline) -> Deadline {
        self.0.map_or(deadline, |end| deadline.or_earlier(end))
    }

    /// When the browser must be closed.
    pub(crate) fn closing(self) -> Deadline {
        self.0.map_or_else(|| Deadline::after(&SystemClock, CLOSING), |end| end.later_by(CLOSED))
    }

    /// Does work until it ends or the time is over. `missing` says what did not happen.
    pub(crate) async fn within<T>(
        self,
        missing: impl FnOnce() -> String,
        work: impl Future<Output = T>,
    ) -> Result<T, CallError> {
        let Some(end) = self.work() else { return Ok(work.await) };
        self.until(end, missing, work).await
    }

    /// Like [`TimeLimit::within`], for work that knows when to end and ends by itself: it is cut off at the end of the time.
    pub(crate) async fn cutting_off<T>(
        self,
        missing: impl FnOnce() -> String,
        work: impl Future<Output = T>,
    ) -> Result<T, CallError> {
        let Some(end) = self.0 else { return Ok(work.await) };
        self.until(end, missing, work).await
    }

    async fn until<T>(
        self,
        end: Deadline,
        missing: impl FnOnce() -> String,
        work: impl Future<Output = T>,
    ) -> Result<T, CallError> {
        tokio::select! {
            biased;
            done = work => Ok(done),
            () = SystemClock.sleep_until(end.at()) => {
                let message = format!("{} within {:?}", missing(), end.limit());
                let error = CallError::new(ErrorCode::HandlerTimeout, message);
                Err(error.with_evidence("timeout_ms", Millis::from(end.limit()).0))
            }
        }
    }
}
