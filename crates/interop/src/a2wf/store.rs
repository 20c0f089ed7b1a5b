//! The policies of the sites that a process works on: each is fetched once, and asked about again when its time is over.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::obtain::{ObtainOptions, obtain};
use super::site::{SitePolicy, State};
use crate::fetch::Client;

/// How long a site that could not be asked is not asked again.
const UNAVAILABLE: Duration = Duration::from_secs(10);

/// The most sites that are remembered.
const MOST: usize = 1_024;

/// A policy, and until when it is used.
#[derive(Clone, Debug)]
struct Held {
    policy: Arc<SitePolicy>,
    until: Instant,
}

/// The place of one site. Whoever needs its policy first fetches it; the others wait.
type Slot = Arc<tokio::sync::Mutex<Option<Held>>>;

/// The policies of sites. Clones share them.
#[derive(Clone, Debug)]
pub struct Store {
    client: Client,
    options: ObtainOptions,
    slots: Arc<Mutex<HashMap<String, Slot>>>,
}

impl Store {
    /// An empty store that fetches with this client.
    pub fn new(client: Client, options: ObtainOptions) -> Self {
        Self { client, options, slots: Arc::default() }
    }

    /// The client.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The policy of the site at an origin, fetched if it is not known or if its time is over.
    pub async fn of(&self, origin: &str) -> Arc<SitePolicy> {
        let slot = self.slot(origin);
        let mut held = slot.lock().await;
        let now = self.client.clock().now();
        if let Some(held) = held.as_ref().filter(|held| now < held.until) {
            return Arc::clone(&held.policy);
        }
        let found = obtain(&self.client, origin, self.options).await;
        let until = self.until(&found);
        // What has not changed stays the same, so that callers see that it has not.
        let policy = match held.take() {
            Some(before) if is_same(&before.policy, &found) => before.policy,
            _ => Arc::new(found),
        };
        *held = Some(Held { policy: Arc::clone(&policy), until });
        policy
    }

    fn slot(&self, origin: &str) -> Slot {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.len() >= MOST && !slots.contains_key(origin) {
            // Those that no one waits for are fetched again when they are needed.
            slots.retain(|_, slot| Arc::strong_count(slot) > 1);
        }
        Arc::clone(slots.entry(origin.to_owned()).or_default())
    }

    /// Until when a policy is used: as long as the documents that say so are fresh.
    fn until(&self, policy: &SitePolicy) -> Instant {
        let now = self.client.clock().now();
        if policy.state == State::Unavailable {
            return now + UNAVAILABLE;
        }
        let asked = policy.looked.iter().filter_map(|looked| looked.url.parse().ok());
        // What is not kept must be asked again.
        asked.map(|url| self.client.fresh_until(&url).unwrap_or(now)).min().unwrap_or(now)
    }
}

/// Whether two findings of one site mean the same.
fn is_same(before: &SitePolicy, now: &SitePolicy) -> bool {
    before.state == now.state
        && before.policy == now.policy
        && before.url == now.url
        && before.robots == now.robots
}
