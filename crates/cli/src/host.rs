//! What the command offers to primitives: the storage folder that a map came from, and an agent that is a program.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use actions_engine::browser::Replay;
use actions_engine::{BundleFolder, BundleStorage, Host, HostedAgent, HttpCaller, ProcessAgent, WabCaller};
use actions_interop::http::ReplayCaller;
use actions_interop::identity::Identity;
use actions_interop::wab::Agent;
use actions_runtime::StorageRoot;

use crate::credentials;

/// What the command offers to primitives.
#[derive(Debug)]
pub(crate) struct CommandHost {
    storage: Option<BundleFolder>,
    agent: Option<ProcessAgent>,
    /// What sends requests without a page.
    http: Option<Box<dyn Sends>>,
    /// What sends commands to bridges.
    wab: Option<Agent>,
}

/// A sender of requests that can be shown for debugging.
trait Sends: HttpCaller + std::fmt::Debug {}

impl<T: HttpCaller + std::fmt::Debug> Sends for T {}

impl CommandHost {
    /// The host of a session whose maps come from these paths. The first one that is a storage folder takes bundles. With a
    /// replay, requests without a page are answered by the recording too.
    pub(crate) fn new(
        maps: &[PathBuf],
        agent: Option<&Path>,
        replay: Option<&Arc<Replay>>,
        identity: Identity,
    ) -> Arc<Self> {
        let is_storage = |path: &&PathBuf| StorageRoot::open(path).is_ok_and(|found| found.is_some());
        let folder = maps.iter().find(is_storage);
        Arc::new(Self {
            storage: folder.map(|folder| BundleFolder::new(folder.clone(), || 1)),
            agent: agent.map(|program| ProcessAgent::new(vec![program.into()])),
            http: sender(replay, identity.clone()),
            wab: agent_of_bridges(replay, identity),
        })
    }
}

/// What sends requests without a page: the recording if there is one, and else the machine. None if it cannot be made; then
/// `http.request` says that it is not available.
fn sender(replay: Option<&Arc<Replay>>, identity: Identity) -> Option<Box<dyn Sends>> {
    match replay {
        Some(replay) => Some(Box::new(ReplayCaller::new(Arc::clone(replay)))),
        None => credentials::caller(identity).ok().map(|caller| Box::new(caller) as Box<dyn Sends>),
    }
}

/// What sends commands to bridges: by the recording if there is one, and else over the network.
fn agent_of_bridges(replay: Option<&Arc<Replay>>, identity: Identity) -> Option<Agent> {
    match replay {
        Some(replay) => Some(Agent::recorded(Arc::clone(replay))),
        None => credentials::agent_of_bridges(identity).ok(),
    }
}

impl Host for CommandHost {
    fn storage(&self) -> Option<&dyn BundleStorage> {
        self.storage.as_ref().map(|storage| storage as &dyn BundleStorage)
    }

    fn http(&self) -> Option<&dyn HttpCaller> {
        self.http.as_deref().map(|http| http as &dyn HttpCaller)
    }

    fn wab(&self) -> Option<&dyn WabCaller> {
        self.wab.as_ref().map(|wab| wab as &dyn WabCaller)
    }

    fn agent(&self) -> Option<&dyn HostedAgent> {
        self.agent.as_ref().map(|agent| agent as &dyn HostedAgent)
    }
}
