//! Options that carry a login from one command to the next: cookies and storage in a file.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use actions_engine::CallError;
use actions_engine::browser::StorageState;
use actions_protocol::ErrorCode;

use crate::output_file::OutputFile;

/// The largest file that is read.
const LARGEST: u64 = 64 << 20;

/// Options that carry a login from one command to the next.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct IdentityOptions {
    /// Load cookies and storage from this file before the first page opens; Playwright's files are read too
    #[arg(long, value_name = "FILE.json")]
    pub(crate) storage_state: Option<PathBuf>,
    /// Write cookies and storage to this file if the command succeeds
    #[arg(long, value_name = "FILE.json")]
    pub(crate) save_storage_state: Option<PathBuf>,
}

impl IdentityOptions {
    /// Whether no file is read or written.
    pub(crate) fn is_unused(&self) -> bool {
        self.storage_state.is_none() && self.save_storage_state.is_none()
    }

    /// Reads the file that is loaded, if one is given.
    pub(crate) fn loaded(&self) -> Result<Option<StorageState>, CallError> {
        self.storage_state.as_deref().map(read).transpose()
    }

    /// Reserves the file that is written, if one is wanted. Fails if it could not be written later.
    pub(crate) fn reserved(&self) -> Result<Option<OutputFile>, CallError> {
        self.save_storage_state.as_deref().map(reserve).transpose()
    }
}

/// What a command did on its page.
pub(crate) trait Ended {
    /// Whether it did what was asked for, so that the storage state is worth keeping.
    fn succeeded(&self) -> bool;
}

impl Ended for () {
    fn succeeded(&self) -> bool {
        true
    }
}

/// Reserves a file for a storage state.
pub(crate) fn reserve(path: &Path) -> Result<OutputFile, CallError> {
    OutputFile::create(path).map_err(|error| {
        let message = format!("{}: {error}", path.display());
        CallError::new(ErrorCode::WrongUsage, message).with_evidence(
            "hint",
            "nothing was run; `--save-storage-state` needs a file in a writable folder",
        )
    })
}

/// Writes a storage state to its file: whole, and for its owner alone.
pub(crate) fn keep(file: OutputFile, state: &StorageState) -> Result<(), CallError> {
    let text = serde_json::to_vec_pretty(state).expect("plain data serialises");
    file.keep(&text).map_err(|error| {
        CallError::new(ErrorCode::WrongUsage, format!("the storage state was not written: {error}"))
    })
}

/// Reads a storage state. The text of an error repeats nothing of the file.
pub(crate) fn read(path: &Path) -> Result<StorageState, CallError> {
    let place = path.display();
    let unreadable = |error: std::io::Error| {
        CallError::new(ErrorCode::WrongUsage, format!("{place}: {error}"))
            .with_evidence("hint", "pass a file that `--save-storage-state` or Playwright wrote")
    };
    let malformed = |problem: String| {
        CallError::new(ErrorCode::InvalidInput, format!("{place} is no storage state: {problem}"))
            .with_evidence("hint", "pass a file that `--save-storage-state` or Playwright wrote")
    };
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(malformed("it is not a file".to_owned()));
    }
    let mut text = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(LARGEST + 1).read_to_end(&mut text).map_err(unreadable)?;
    if text.len() as u64 > LARGEST {
        return Err(malformed(format!("it is larger than {LARGEST} bytes")));
    }
    // The message of the parser could repeat a cookie.
    let parsed: Result<StorageState, _> = serde_json::from_slice(&text);
    parsed.map_err(|error| malformed(format!("line {}, column {}", error.line(), error.column())))
}
