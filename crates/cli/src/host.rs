//! What the command offers to primitives: the storage folder that a map came from, and an agent that is a program.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use actions_engine::{BundleFolder, BundleStorage, Host, HostedAgent, ProcessAgent};
use actions_runtime::StorageRoot;

/// What the command offers to primitives.
#[derive(Debug)]
pub(crate) struct CommandHost {
    storage: Option<BundleFolder>,
    agent: Option<ProcessAgent>,
}

impl CommandHost {
    /// The host of a session whose maps come from these paths. The first one that is a storage folder takes bundles.
    pub(crate) fn new(maps: &[PathBuf], agent: Option<&Path>) -> Arc<Self> {
        let is_storage = |path: &&PathBuf| StorageRoot::open(path).is_ok_and(|found| found.is_some());
        let folder = maps.iter().find(is_storage);
        Arc::new(Self {
            storage: folder.map(|folder| BundleFolder::new(folder.clone(), || 1)),
            agent: agent.map(|program| ProcessAgent::new(vec![program.into()])),
        })
    }
}

impl Host for CommandHost {
    fn storage(&self) -> Option<&dyn BundleStorage> {
        self.storage.as_ref().map(|storage| storage as &dyn BundleStorage)
    }

    fn agent(&self) -> Option<&dyn HostedAgent> {
        self.agent.as_ref().map(|agent| agent as &dyn HostedAgent)
    }
}
