//! Differences that stay, each with its reason.

use super::Answer;

/// A difference that stays.
pub struct Known {
    /// What differs, in a sentence.
    pub difference: &'static str,
    /// Why it stays.
    pub reason: &'static str,
    applies: fn(&str, &Answer, &Answer) -> bool,
}

/// Every difference that stays.
pub const KNOWN: &[Known] = &[];

/// The reason why a difference stays, if it is known.
pub fn known(source: &str, ours: &Answer, theirs: &Answer) -> Option<&'static Known> {
    KNOWN.iter().find(|known| (known.applies)(source, ours, theirs))
}
