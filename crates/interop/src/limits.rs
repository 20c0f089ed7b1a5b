//! Limits on how often something may be done: sliding windows that parallel callers share.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use actions_engine::browser::Clock;

/// How many times something may be done within a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limit {
    /// How many times. Zero means never.
    pub count: u64,
    /// Within which time.
    pub per: Duration,
}

impl Limit {
    /// So many times a minute.
    pub fn per_minute(count: u64) -> Self {
        Self { count, per: Duration::from_secs(60) }
    }

    /// So many times an hour.
    pub fn per_hour(count: u64) -> Self {
        Self { count, per: Duration::from_secs(3_600) }
    }

    /// Reads `10/min`, `5 per hour`, `100/h` and the like; a site writes such texts.
    ///
    /// ```
    /// use actions_interop::limits::Limit;
    /// assert_eq!(Limit::parse("10/min"), Some(Limit::per_minute(10)));
    /// assert_eq!(Limit::parse("5 per hour"), Some(Limit::per_hour(5)));
    /// assert_eq!(Limit::parse("often"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let (count, unit) = text.split_once('/').or_else(|| text.split_once(" per "))?;
        let count = count.trim().parse().ok()?;
        let seconds = match unit.trim().to_ascii_lowercase().as_str() {
            "s" | "sec" | "second" | "seconds" => 1,
            "m" | "min" | "minute" | "minutes" => 60,
            "h" | "hr" | "hour" | "hours" => 3_600,
            "d" | "day" | "days" => 86_400,
            _ => return None,
        };
        Some(Self { count, per: Duration::from_secs(seconds) })
    }
}

/// A limit under the name of what it counts, such as an origin and a permission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scoped {
    /// What is counted.
    pub scope: String,
    /// How often it may be done.
    pub limit: Limit,
}

/// A limit that is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The limit, by what it counts.
    pub scope: String,
    /// The limit.
    pub limit: Limit,
    /// When the operation may be tried again; none if the limit is zero.
    pub retry_after: Option<Duration>,
}

/// The most moments that one window remembers. A site that allows more is not limited further by us.
const MOST_MOMENTS: usize = 100_000;

/// The most windows that are remembered; those that count nothing any more are dropped first.
const MOST_WINDOWS: usize = 4_096;

type Windows = HashMap<(String, Limit), VecDeque<Instant>>;

/// Sliding windows. Clones count together.
///
/// ```
/// use std::sync::Arc;
/// use actions_engine::browser::SystemClock;
/// use actions_interop::limits::{Limit, Limits, Scoped};
///
/// let limits = Limits::new(Arc::new(SystemClock));
/// let scoped = [Scoped { scope: "https://example.com".to_owned(), limit: Limit::per_minute(1) }];
/// assert!(limits.take(&scoped).is_ok());
/// assert!(limits.take(&scoped).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Limits {
    clock: Arc<dyn Clock>,
    windows: Arc<Mutex<Windows>>,
}

impl Limits {
    /// Windows that are empty, on this clock.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, windows: Arc::default() }
    }

    /// Counts an operation against all of these limits, or against none of them if one is reached: the one that has to
    /// be waited for longest is returned. Checking and counting are one step, so calls in parallel never exceed a limit.
    pub fn take(&self, scoped: &[Scoped]) -> Result<(), Reached> {
        let now = self.clock.now();
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let reached = scoped.iter().filter_map(|one| reached(&mut windows, one, now));
        // Zero is never waited for.
        let worst = reached.max_by_key(|reached| reached.retry_after.unwrap_or(Duration::MAX));
        if let Some(worst) = worst {
            return Err(worst);
        }
        if windows.len() > MOST_WINDOWS {
            windows.retain(|(_, limit), moments| {
                moments.back().is_some_and(|last| now.duration_since(*last) < limit.per)
            });
        }
        for one in scoped {
            let moments = windows.entry((one.scope.clone(), one.limit)).or_default();
            if moments.len() < MOST_MOMENTS {
                moments.push_back(now);
            }
        }
        Ok(())
    }

    /// Takes back the last operation counted against these limits: it was not done after all.
    pub fn give_back(&self, scoped: &[Scoped]) {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        for one in scoped {
            if let Some(moments) = windows.get_mut(&(one.scope.clone(), one.limit)) {
                moments.pop_back();
            }
        }
    }
}

/// The limit, if it is reached at a time.
fn reached(windows: &mut Windows, one: &Scoped, now: Instant) -> Option<Reached> {
    let Scoped { scope, limit } = one;
    let answer = |retry_after| Some(Reached { scope: scope.clone(), limit: *limit, retry_after });
    if limit.count == 0 {
        return answer(None);
    }
    let moments = windows.get_mut(&(scope.clone(), *limit))?;
    while moments.front().is_some_and(|first| now.duration_since(*first) >= limit.per) {
        moments.pop_front();
    }
    let count = usize::try_from(limit.count).unwrap_or(usize::MAX);
    if moments.len() < count {
        return None;
    }
    // The operation fits as soon as the oldest of the last `count` leaves the window.
    let oldest = moments[moments.len() - count];
    answer(Some(limit.per.saturating_sub(now.duration_since(oldest))))
}

#[cfg(test)]
mod tests {
    use actions_engine::browser::TestClock;

    use super::*;

    fn scoped(count: u64) -> [Scoped; 1] {
        [Scoped { scope: "site".to_owned(), limit: Limit::per_minute(count) }]
    }

    #[test]
    fn a_window_slides() {
        let clock = TestClock::new();
        let limits = Limits::new(Arc::new(clock.clone()));
        assert_eq!(limits.take(&scoped(2)), Ok(()));
        clock.advance(Duration::from_secs(40));
        assert_eq!(limits.take(&scoped(2)), Ok(()));
        let reached = limits.take(&scoped(2)).unwrap_err();
        assert_eq!(reached.retry_after, Some(Duration::from_secs(20)));
        clock.advance(Duration::from_secs(20));
        assert_eq!(limits.take(&scoped(2)), Ok(()), "the first one left the window");
        let reached = limits.take(&scoped(2)).unwrap_err();
        assert_eq!(reached.retry_after, Some(Duration::from_secs(40)));
    }

    #[test]
    fn of_two_limits_none_is_counted_when_one_is_reached() {
        let limits = Limits::new(Arc::new(TestClock::new()));
        let both = [
            Scoped { scope: "key".to_owned(), limit: Limit::per_minute(1) },
            Scoped { scope: "site".to_owned(), limit: Limit::per_minute(2) },
        ];
        assert_eq!(limits.take(&both), Ok(()));
        assert_eq!(limits.take(&both).unwrap_err().scope, "key");
        assert_eq!(limits.take(&both[1..]), Ok(()), "the refused operation was not counted");
        assert_eq!(limits.take(&both[1..]).unwrap_err().scope, "site");
    }

    #[test]
    fn zero_allows_nothing_and_names_no_time() {
        let limits = Limits::new(Arc::new(TestClock::new()));
        assert_eq!(limits.take(&scoped(0)).unwrap_err().retry_after, None);
    }

    #[test]
    fn calls_in_parallel_never_exceed_a_limit() {
        let limits = Limits::new(Arc::new(TestClock::new()));
        let taken: usize = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|_| scope.spawn(|| (0..50).filter(|_| limits.take(&scoped(30)).is_ok()).count()))
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(taken, 30);
    }

    #[test]
    fn what_was_not_done_is_given_back() {
        let limits = Limits::new(Arc::new(TestClock::new()));
        assert_eq!(limits.take(&scoped(1)), Ok(()));
        limits.give_back(&scoped(1));
        assert_eq!(limits.take(&scoped(1)), Ok(()));
    }

    #[test]
    fn texts_of_sites_are_read_or_refused() {
        assert_eq!(Limit::parse("3/day"), Some(Limit { count: 3, per: Duration::from_secs(86_400) }));
        for bad in ["", "/min", "x/min", "3/fortnight", "-1/min", "3"] {
            assert_eq!(Limit::parse(bad), None, "{bad}");
        }
    }
}
