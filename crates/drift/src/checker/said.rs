//! What one page said about one thing.

use crate::result::CheckResult;

/// What one page said about one thing.
#[derive(Debug)]
pub(super) enum Said {
    Passed(CheckResult),
    Failed(CheckResult),
    Open(CheckResult),
}

/// What a result is about, by number.
#[derive(Clone, Copy, Debug)]
pub(super) enum About {
    Check(usize),
    Target(usize),
}
