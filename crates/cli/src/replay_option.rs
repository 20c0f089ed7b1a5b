//! The recording that is the network.

use std::path::PathBuf;
use std::sync::Arc;

use actions_engine::CallError;
use actions_engine::browser::Archive;
use actions_protocol::ErrorCode;

use crate::output::note;
use crate::text::visible;

/// The option of commands that can do without the network.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct ReplayOption {
    /// Let this recording (HAR) be the network; nothing leaves the machine
    #[arg(long, value_name = "FILE.har")]
    replay: Option<PathBuf>,
}

impl ReplayOption {
    /// The recording that is the network, ready to be replayed; what is wrong with it is told, and given back.
    pub(crate) fn recording(&self) -> Result<Option<Arc<Archive>>, CallError> {
        let Some(file) = &self.replay else { return Ok(None) };
        Archive::read(file).map(|archive| Some(Arc::new(archive))).map_err(|error| {
            note(format_args!("error: {}", visible(&error.to_string())));
            note(format_args!("  help: {}", error.hint()));
            CallError::new(ErrorCode::InvalidInput, error.to_string()).with_evidence("hint", error.hint())
        })
    }
}
