//! What a gate remembers of the calls that run: where each was admitted, and how much it has read.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use actions_engine::CallId;

use super::key::Key;
use super::site::SitePolicy;

/// The most calls that are remembered. A call that was forgotten is admitted anew at its next step.
const MOST: usize = 512;

/// What is remembered of a call.
#[derive(Clone, Debug, Default)]
pub(super) struct Call {
    /// The tool.
    pub(super) tool: Arc<Tool>,
    /// The policies under which the call was admitted, one per origin.
    pub(super) admitted: Vec<Arc<SitePolicy>>,
    /// Whether a person has verified it, by the origins that wanted that.
    pub(super) verified: Vec<String>,
    /// How many pages it has extracted.
    pub(super) pages: u32,
    /// Whether something may have changed the page since the last extraction.
    pub(super) is_new_page: bool,
}

/// What is known of the tool of a call.
#[derive(Clone, Debug, Default)]
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) mutating: bool,
    pub(super) declared: Vec<Key>,
    pub(super) results: Vec<String>,
}

impl Call {
    /// A call of a tool that has done nothing.
    pub(super) fn of(tool: Tool) -> Self {
        Self { tool: Arc::new(tool), is_new_page: true, ..Self::default() }
    }

    /// Whether the call was admitted under this very policy.
    pub(super) fn is_admitted(&self, policy: &Arc<SitePolicy>) -> bool {
        self.admitted.iter().any(|known| Arc::ptr_eq(known, policy))
    }

    /// Whether the call was admitted on the origin, under this policy or one before it.
    pub(super) fn knows(&self, origin: &str) -> bool {
        self.admitted.iter().any(|known| known.origin == origin)
    }

    /// Notes that the call was admitted under a policy.
    pub(super) fn admit(&mut self, policy: Arc<SitePolicy>) {
        self.admitted.retain(|known| known.origin != policy.origin);
        self.admitted.push(policy);
    }
}

/// The calls that run.
#[derive(Debug, Default)]
pub(super) struct Calls {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    calls: HashMap<CallId, (u64, Call)>,
    number: u64,
}

impl Calls {
    /// What is remembered of a call; a call that is not known is one of this tool that has done nothing.
    pub(super) fn find(&self, id: &CallId) -> Option<Call> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.calls.get(id).map(|(_, call)| call.clone())
    }

    /// Remembers a call, and forgets the one that was not used for longest if there are too many.
    pub(super) fn keep(&self, id: &CallId, call: Call) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.number += 1;
        let number = inner.number;
        inner.calls.insert(id.clone(), (number, call));
        if inner.calls.len() > MOST {
            let oldest = inner.calls.iter().min_by_key(|(_, (number, _))| *number).map(|(id, _)| id.clone());
            oldest.and_then(|oldest| inner.calls.remove(&oldest));
        }
    }
}
