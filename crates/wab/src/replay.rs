//! The ids of commands that were received, so that none is performed twice.

use std::collections::{HashSet, VecDeque};

/// How many ids are remembered; the oldest are forgotten first.
const MOST: usize = 10_000;

/// The ids of a session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    ids: HashSet<String>,
    order: VecDeque<String>,
}

impl Seen {
    /// Notes an id. Whether it is new.
    pub(crate) fn note(&mut self, id: &str) -> bool {
        if !self.ids.insert(id.to_owned()) {
            return false;
        }
        self.order.push_back(id.to_owned());
        if self.order.len() > MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.ids.remove(&oldest);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g9_an_id_is_new_once_and_the_memory_is_bounded() {
        let mut seen = Seen::default();
        assert!(seen.note("1") && !seen.note("1"));
        for number in 0..MOST {
            seen.note(&format!("n{number}"));
        }
        assert_eq!((seen.ids.len(), seen.order.len()), (MOST, MOST));
        assert!(seen.note("1"), "the oldest id is forgotten");
    }
}
