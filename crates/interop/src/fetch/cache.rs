//! Responses that may be used again, in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Response;
use super::freshness::{self, Freshness};

/// A response that may be used again.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) response: Arc<Response>,
    /// When it must be asked about.
    pub(super) until: Instant,
}

/// Responses by their address.
#[derive(Debug, Default)]
pub(super) struct Cache {
    kept: Mutex<HashMap<String, Kept>>,
}

/// The most responses that are kept, and the most bytes of them all.
const MOST: usize = 512;
const MOST_BYTES: usize = 32 << 20;

impl Cache {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The response of an address, fresh or not.
    pub(super) fn find(&self, url: &str) -> Option<Kept> {
        self.lock().get(url).cloned()
    }

    /// Keeps a response, or what was kept before under its new headers.
    pub(super) fn keep(&self, url: &str, response: &Arc<Response>, otherwise: Duration, now: Instant) {
        let mut kept = self.lock();
        let Freshness::For(fresh) = freshness::of(response, otherwise) else {
            kept.remove(url);
            return;
        };
        kept.insert(url.to_owned(), Kept { response: Arc::clone(response), until: now + fresh });
        while kept.len() > MOST
            || kept.values().map(|one| one.response.body.len()).sum::<usize>() > MOST_BYTES
        {
            let soonest = kept.iter().min_by_key(|(_, one)| one.until).map(|(url, _)| url.clone());
            let Some(soonest) = soonest else { break };
            kept.remove(&soonest);
        }
    }

    /// Forgets the response of an address.
    pub(super) fn forget(&self, url: &str) {
        self.lock().remove(url);
    }
}
