//! Lines about clients that were refused, limited or disconnected: at most a few per minute.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Receives a line about each client that was refused, limited or disconnected.
pub type Reporter = Arc<dyn Fn(&str) + Send + Sync>;

/// At most this many lines are reported per period.
const MOST: u32 = 20;
const PERIOD: Duration = Duration::from_secs(60);

/// Passes lines on, as long as there are not too many.
pub struct Reports {
    reporter: Reporter,
    period: Mutex<(Instant, u32)>,
}

impl Reports {
    pub(crate) fn to(reporter: Reporter) -> Self {
        Self { reporter, period: Mutex::new((Instant::now(), 0)) }
    }

    /// Reports a line, if there were not too many before it. It must not hold what a client has sent.
    pub fn report(&self, line: &str) {
        let mut period = self.period.lock().unwrap_or_else(PoisonError::into_inner);
        if period.0.elapsed() > PERIOD {
            *period = (Instant::now(), 0);
        }
        period.1 = period.1.saturating_add(1);
        let count = period.1;
        drop(period);
        tracing::warn!("{line}");
        if count <= MOST {
            (self.reporter)(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_lines_is_cut() {
        let lines: Arc<Mutex<Vec<String>>> = Arc::default();
        let reports = Reports::to({
            let lines = Arc::clone(&lines);
            Arc::new(move |line| lines.lock().unwrap().push(line.to_owned()))
        });
        (0..100).for_each(|number| reports.report(&format!("line {number}")));
        let lines = lines.lock().unwrap();
        assert_eq!((lines.len(), lines.last().map(String::as_str)), (20, Some("line 19")));
    }
}
