//! Shows how the time to validate grows with each way of being large.

use std::io;
use std::time::{Duration, Instant};

use actions_manifest::{Options, validate};
use actions_workshop::fuzz::{GIANTS, Giant};

/// Growth beyond this, where the text only doubles, is marked.
const SUSPICIOUS: f64 = 3.0;

/// Validates every giant at a size and at twice that size.
pub(crate) fn run(size: usize) -> io::Result<bool> {
    println!("{:>10} {:>9} {:>9} {:>6}", "bytes", "ms", "twice", "growth");
    for giant in GIANTS {
        let (bytes, once) = time(giant, size);
        let (_, twice) = time(giant, 2 * size);
        let growth = twice.as_secs_f64() / once.as_secs_f64();
        let mark = if growth > SUSPICIOUS && twice > Duration::from_millis(20) { "  <- look" } else { "" };
        let (once, twice) = (once.as_secs_f64() * 1000.0, twice.as_secs_f64() * 1000.0);
        println!("{bytes:>10} {once:>9.1} {twice:>9.1} {growth:>6.1}  {}{mark}", giant.name);
    }
    Ok(true)
}

fn time(giant: &Giant, size: usize) -> (usize, Duration) {
    let text = giant.map(size).to_string();
    let start = Instant::now();
    let validation = validate("giant.json", text.as_bytes(), &Options::default());
    // Users see the position of every finding, so computing it is part of the time.
    let _ = validation.findings.iter().map(|finding| finding.position().column).max();
    (text.len(), start.elapsed())
}
