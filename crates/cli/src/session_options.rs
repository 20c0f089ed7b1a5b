//! Options that run a command inside a background session.

use actions_engine::CallError;
use actions_protocol::ErrorCode;

use crate::live::LiveOptions;
use crate::replay_option::ReplayOption;

/// Options that run a command inside a background session.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct InSession {
    /// Run in this background session instead of a new browser; see `actions session start`
    #[arg(long, value_name = "NAME")]
    pub(crate) session: Option<String>,
    /// Page of the session: its number, its id, or a part of its address or title
    #[arg(long, value_name = "PAGE", requires = "session")]
    pub(crate) page: Option<String>,
}

/// Refuses options that decide how a browser or a session starts: a session has started already.
pub(crate) fn refuse_start_options(
    live: &LiveOptions,
    replay: Option<&ReplayOption>,
) -> Result<(), CallError> {
    let given = live.start_options().into_iter();
    let given: Vec<&str> =
        given.chain(replay.filter(|replay| replay.is_given()).map(|_| "--replay")).collect();
    match given.first() {
        None => Ok(()),
        Some(option) => {
            let message = format!("`{option}` decides how a session starts, and this session has started");
            let hint = format!("pass `{option}` to `actions session start` instead");
            Err(CallError::new(ErrorCode::WrongUsage, message).with_evidence("hint", hint))
        }
    }
}

/// The error of a command without a session that needs a map.
pub(crate) fn needs_map(command: &str) -> CallError {
    let message = format!("`actions {command}` needs a map, unless it runs in a session");
    CallError::new(ErrorCode::WrongUsage, message)
        .with_evidence("hint", "pass the path of a map first, or `--session NAME`")
}

/// Refuses to save a storage state where no tool runs.
pub(crate) fn refuse_saving(live: &LiveOptions) -> Result<(), CallError> {
    if live.identity.save_storage_state.is_none() {
        return Ok(());
    }
    let message = "`--save-storage-state` saves what a session has after a call";
    Err(CallError::new(ErrorCode::WrongUsage, message)
        .with_evidence("hint", "pass it to `actions run --session NAME`"))
}
