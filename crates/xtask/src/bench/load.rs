//! The load of the machine while a benchmark runs.

use std::fs;

/// How many processes have wanted the processor in the last minute; not a number where nobody counts.
pub(super) fn load_average() -> f64 {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace().next().and_then(|load| load.parse().ok()).unwrap_or(f64::NAN)
}
