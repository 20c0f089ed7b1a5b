//! The recording that is the network.

use std::path::PathBuf;
use std::sync::Arc;

use actions_engine::CallError;
use actions_engine::browser::{Archive, HarError};
use actions_protocol::ErrorCode;

/// The option of commands that can do without the network.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct ReplayOption {
    /// Let this recording (HAR) be the network; nothing leaves the machine
    #[arg(long, value_name = "FILE.har")]
    replay: Option<PathBuf>,
}

impl ReplayOption {
    /// The recording that is the network, ready to be replayed.
    pub(crate) fn recording(&self) -> Result<Option<Arc<Archive>>, CallError> {
        let Some(file) = &self.replay else { return Ok(None) };
        Archive::read(file).map(|archive| Some(Arc::new(archive))).map_err(|error| {
            let code = match error {
                HarError::Unreadable { .. } => ErrorCode::WrongUsage,
                HarError::Malformed { .. } | HarError::BadEntry { .. } => ErrorCode::InvalidInput,
            };
            CallError::new(code, error.to_string()).with_evidence("hint", error.hint())
        })
    }
}
