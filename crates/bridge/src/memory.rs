//! Remembers the calls of a client, so that a repeated call is answered and never run twice.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use actions_protocol::CallId;

use crate::limits;

/// What is known about a call when its item arrives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Nothing: the call begins.
    New,
    /// The same call waits or runs.
    Pending,
    /// The same call was answered with this item.
    Answered(Arc<str>),
    /// The same call was answered, and the answer is not kept any more.
    Forgotten,
    /// Another call has this id.
    Other {
        /// Whether that call still waits or runs.
        pending: bool,
    },
}

/// The calls of a client.
#[derive(Default)]
pub(crate) struct Memory {
    calls: HashMap<CallId, Remembered>,
    /// The ids of answered calls, from the oldest on.
    answered: VecDeque<CallId>,
    /// How many of them, from the newest on, still have their answer.
    kept: usize,
    bytes: usize,
}

struct Remembered {
    /// Tells this call from another one with the same id.
    digest: u64,
    state: State,
}

enum State {
    Pending,
    Answered(Arc<str>),
    Forgotten,
}

impl Memory {
    /// Looks a call up, and remembers that it begins if it is new.
    pub(crate) fn begin(&mut self, call_id: &CallId, digest: u64) -> Known {
        let Some(call) = self.calls.get(call_id) else {
            self.calls.insert(call_id.clone(), Remembered { digest, state: State::Pending });
            return Known::New;
        };
        match &call.state {
            State::Pending if call.digest == digest => Known::Pending,
            state if call.digest != digest => Known::Other { pending: matches!(state, State::Pending) },
            State::Answered(answer) => Known::Answered(Arc::clone(answer)),
            State::Pending | State::Forgotten => Known::Forgotten,
        }
    }

    /// Remembers the answer to a call. Returns whether it is the first one.
    pub(crate) fn finish(&mut self, call_id: &CallId, answer: &Arc<str>) -> bool {
        let Some(call) = self.calls.get_mut(call_id) else { return false };
        if !matches!(call.state, State::Pending) {
            return false;
        }
        call.state = State::Answered(Arc::clone(answer));
        self.answered.push_back(call_id.clone());
        self.kept += 1;
        self.bytes += answer.len();
        while self.bytes > limits::REMEMBERED_BYTES {
            let Some(oldest) = self.answered.get(self.answered.len() - self.kept) else { break };
            if let Some(call) = self.calls.get_mut(oldest)
                && let State::Answered(answer) = &call.state
            {
                self.bytes -= answer.len();
                call.state = State::Forgotten;
            }
            self.kept -= 1;
        }
        while self.answered.len() > limits::CALL_IDS {
            let Some(oldest) = self.answered.pop_front() else { break };
            self.kept = self.kept.min(self.answered.len());
            if let Some(Remembered { state: State::Answered(answer), .. }) = self.calls.remove(&oldest) {
                self.bytes -= answer.len();
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: usize) -> CallId {
        CallId::parse(&format!("call-{number}")).unwrap()
    }

    #[test]
    fn a_repeated_call_is_answered_from_memory_and_another_call_with_its_id_is_not() {
        let mut memory = Memory::default();
        assert_eq!(memory.begin(&id(1), 7), Known::New);
        assert_eq!(memory.begin(&id(1), 7), Known::Pending);
        assert_eq!(memory.begin(&id(1), 8), Known::Other { pending: true });
        let answer: Arc<str> = "answer".into();
        assert!(memory.finish(&id(1), &answer));
        assert!(!memory.finish(&id(1), &"second".into()), "a call has one answer");
        assert_eq!(memory.begin(&id(1), 7), Known::Answered(answer));
        assert_eq!(memory.begin(&id(1), 8), Known::Other { pending: false });
    }

    #[test]
    fn old_answers_are_dropped_before_old_ids() {
        let mut memory = Memory::default();
        let large: Arc<str> = "x".repeat(limits::REMEMBERED_BYTES / 3).into();
        for number in 0..5 {
            assert_eq!(memory.begin(&id(number), 0), Known::New);
            assert!(memory.finish(&id(number), &large));
        }
        assert_eq!(memory.begin(&id(0), 0), Known::Forgotten);
        assert_eq!(memory.begin(&id(4), 0), Known::Answered(large));
        assert!(memory.bytes <= limits::REMEMBERED_BYTES);
        let small: Arc<str> = "y".into();
        for number in 5..limits::CALL_IDS + 10 {
            memory.begin(&id(number), 0);
            memory.finish(&id(number), &small);
        }
        assert_eq!(memory.calls.len(), limits::CALL_IDS);
        assert_eq!(memory.begin(&id(0), 0), Known::New, "only the newest ids are remembered");
        assert_eq!(memory.begin(&id(limits::CALL_IDS + 9), 0), Known::Answered(small));
    }
}
