//! What the program around the engine offers to primitives: storage, an agent, requests, limits of results.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use actions_browser::Deadline;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{HttpCaller, WabCaller};
use crate::Failure;

/// What the program around the engine offers to primitives. Without a part, the primitives that need it fail with
/// `capability_unavailable`.
pub trait Host: std::fmt::Debug + Send + Sync {
    /// The folder of maps and files that bundles are taken into.
    fn storage(&self) -> Option<&dyn BundleStorage> {
        None
    }

    /// The agent that lives beside the session.
    fn agent(&self) -> Option<&dyn HostedAgent> {
        None
    }

    /// What sends requests to sites without a page.
    fn http(&self) -> Option<&dyn HttpCaller> {
        None
    }

    /// What sends commands to bridges of the Web Agent Bridge.
    fn wab(&self) -> Option<&dyn WabCaller> {
        None
    }

    /// The limit above which results go to files.
    fn payloads(&self) -> Option<&dyn PayloadLimit> {
        None
    }
}

/// The host of a session, once it is known.
#[derive(Clone, Default)]
pub struct HostSlot {
    host: Arc<OnceLock<Arc<dyn Host>>>,
}

impl HostSlot {
    /// Sets the host. The first one stays.
    pub fn set(&self, host: Arc<dyn Host>) {
        // A second host is a mistake of the embedder, and the session goes on with the first.
        let _ = self.host.set(host);
    }

    /// The host, if there is one.
    pub(crate) fn get(&self) -> Option<&dyn Host> {
        self.host.get().map(|host| &**host)
    }
}

impl std::fmt::Debug for HostSlot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HostSlot").field("is_set", &self.host.get().is_some()).finish()
    }
}

/// A file of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleEntry {
    /// Its path below the folder.
    pub path: String,
    /// Its text.
    pub content: String,
}

/// What a synchronisation came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Synced {
    /// How many files there are.
    pub entry_count: usize,
    /// How many runtimes work with them.
    pub runtime_count: usize,
}

/// A folder of maps and files.
#[async_trait]
pub trait BundleStorage: Send + Sync {
    /// Takes the files of a bundle into the folder, all of them or none.
    async fn import(&self, entries: Vec<BundleEntry>) -> Result<usize, Failure>;

    /// Makes the present files known to every connected runtime.
    async fn sync(&self) -> Result<Synced, Failure>;
}

/// How a message meets an answer that is still running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageMode {
    /// It waits for the answer.
    Queue,
    /// It cuts the answer off.
    Interrupt,
}

/// What an agent said or did since a cursor.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AgentEvents {
    /// Nothing happened.
    pub idle: bool,
    /// What happened, oldest first.
    pub events: Vec<Map<String, Value>>,
    /// Where to go on from.
    pub cursor: u64,
}

/// An agent that lives beside the session, such as a process.
#[async_trait]
pub trait HostedAgent: Send + Sync {
    /// Starts it and returns its state. Starting a running agent returns its state.
    async fn start(&self, text_only: bool, deadline: Deadline) -> Result<String, Failure>;

    /// Stops it and returns its state.
    async fn stop(&self, deadline: Deadline) -> Result<String, Failure>;

    /// Says something to it.
    async fn say(&self, text: &str, mode: MessageMode, deadline: Deadline) -> Result<(), Failure>;

    /// Makes it forget earlier conversations, and returns how many memories it forgot.
    async fn clear_memory(&self, deadline: Deadline) -> Result<u64, Failure>;

    /// Waits for its next events, at most for `wait`.
    async fn events(&self, cursor: u64, wait: Duration) -> Result<AgentEvents, Failure>;
}

/// The limit above which results go to files.
pub trait PayloadLimit: Send + Sync {
    /// The limit in bytes.
    fn inline_limit(&self) -> u64;

    /// The limit in bytes while it is not set.
    fn default_limit(&self) -> u64;

    /// Sets the limit; `None` restores the default.
    fn set_limit(&self, bytes: Option<u64>);
}
