//! Ids of calls whose callers gave none.

use std::sync::atomic::{AtomicU64, Ordering};

use actions_protocol::CallId;

/// An id that is unique within the process.
pub(crate) fn next_call_id() -> CallId {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    CallId::parse(&format!("call-{number}")).expect("a short plain text")
}
