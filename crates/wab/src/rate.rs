//! How often a session may send commands: a window that slides.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The time that is counted over.
const MINUTE: Duration = Duration::from_secs(60);

/// The commands of the last minute.
#[derive(Clone, Debug, Default)]
pub(crate) struct Window {
    moments: VecDeque<Instant>,
}

/// What is left of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Left {
    pub(crate) remaining: u64,
    /// When the whole window is free again.
    pub(crate) reset: Duration,
}

impl Window {
    /// Counts a command, or says how long to wait.
    pub(crate) fn take(&mut self, limit: u64, now: Instant) -> Result<Left, Duration> {
        while self.moments.front().is_some_and(|first| now.saturating_duration_since(*first) >= MINUTE) {
            self.moments.pop_front();
        }
        let used = self.moments.len() as u64;
        if used >= limit {
            let oldest = self.moments.front().copied().unwrap_or(now);
            return Err(MINUTE.saturating_sub(now.saturating_duration_since(oldest)));
        }
        self.moments.push_back(now);
        Ok(Left { remaining: limit - used - 1, reset: MINUTE })
    }

    /// Whether nothing is counted any more.
    pub(crate) fn is_over(&self, now: Instant) -> bool {
        self.moments.back().is_none_or(|last| now.saturating_duration_since(*last) >= MINUTE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g10_a_window_slides() {
        let (mut window, start) = (Window::default(), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(window.take(2, at(0)).map(|left| left.remaining), Ok(1));
        assert_eq!(window.take(2, at(40)).map(|left| left.remaining), Ok(0));
        assert_eq!(window.take(2, at(50)), Err(Duration::from_secs(10)));
        assert!(window.take(2, at(60)).is_ok(), "the first command left the window");
        assert_eq!(window.take(2, at(61)), Err(Duration::from_secs(39)));
        assert!(window.is_over(at(120)) && !window.is_over(at(119)));
    }
}
