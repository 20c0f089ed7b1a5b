//! The option `--replay`: a recording that answers every request of the page.

use std::path::PathBuf;
use std::sync::Arc;

use actions_engine::CallError;
use actions_engine::browser::{Archive, HarError};
use actions_protocol::ErrorCode;

/// Option of commands that can run without the network.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct ReplayOption {
    /// Answer all requests from this recording (HAR); nothing leaves the machine
    #[arg(long, value_name = "FILE.har")]
    replay: Option<PathBuf>,
}

impl ReplayOption {
    pub(crate) fn is_given(&self) -> bool {
        self.replay.is_some()
    }

    /// Reads the recording, if the option was given.
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
