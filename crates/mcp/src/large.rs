//! Values that are too large for a result, kept for a while so that clients can read them as resources.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// How many values are kept.
const KEPT: usize = 32;

/// How many bytes all kept values may have together.
const KEPT_BYTES: usize = 32 << 20;

/// Values that are too large for a result. The oldest make room for new ones.
#[derive(Debug, Default)]
pub(crate) struct Large {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    kept: VecDeque<(u64, Arc<str>)>,
    bytes: usize,
    last: u64,
}

impl Large {
    /// Keeps a value. Returns its number.
    pub(crate) fn keep(&self, text: String) -> u64 {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.last += 1;
        let number = state.last;
        state.bytes += text.len();
        state.kept.push_back((number, text.into()));
        while state.kept.len() > KEPT || (state.bytes > KEPT_BYTES && state.kept.len() > 1) {
            let Some((_, dropped)) = state.kept.pop_front() else { break };
            state.bytes -= dropped.len();
        }
        number
    }

    /// A kept value.
    pub(crate) fn get(&self, number: u64) -> Option<Arc<str>> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.kept.iter().find(|(known, _)| *known == number).map(|(_, text)| Arc::clone(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_values_are_kept_within_bounds() {
        let large = Large::default();
        let first = large.keep("first".to_owned());
        assert_eq!(large.get(first).as_deref(), Some("first"));
        for _ in 0..KEPT {
            large.keep("more".to_owned());
        }
        assert_eq!(large.get(first), None);
        let huge = large.keep("x".repeat(KEPT_BYTES + 1));
        assert!(large.get(huge).is_some(), "the newest value is kept whatever its size");
        let next = large.keep("small".to_owned());
        assert!(large.get(huge).is_none() && large.get(next).is_some());
    }
}
