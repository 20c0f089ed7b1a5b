//! The load of the machine while a benchmark runs.

use std::fs;

/// The load average of the last minute; NaN where the system has none.
pub(crate) fn load_average() -> f64 {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace().next().and_then(|load| load.parse().ok()).unwrap_or(f64::NAN)
}
