//! The last picture of each page.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use actions_protocol::RuntimeId;
use axum::body::Bytes;

/// When a picture was taken, and the picture.
pub(crate) type Taken = Option<(Instant, Bytes)>;

/// The last picture of each page.
#[derive(Default)]
pub(crate) struct Pictures {
    kept: Mutex<HashMap<RuntimeId, Arc<tokio::sync::Mutex<Taken>>>>,
}

impl Pictures {
    /// The last picture of a page. It is locked while a new one is taken.
    pub(crate) fn of(&self, id: &RuntimeId) -> Arc<tokio::sync::Mutex<Taken>> {
        Arc::clone(self.kept.lock().unwrap_or_else(PoisonError::into_inner).entry(id.clone()).or_default())
    }

    /// Forgets a page that has closed.
    pub(crate) fn forget(&self, id: &RuntimeId) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }
}
