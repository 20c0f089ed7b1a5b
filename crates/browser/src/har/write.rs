//! A recording as a file.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::Har;

impl Har {
    /// The recording as JSON text.
    pub fn to_json(&self) -> String {
        // Plain data with text for keys cannot fail to become text.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// A place for a recording: proved to be writable before anything is recorded, and there in whole or not at all.
#[derive(Debug)]
pub struct HarFile {
    path: PathBuf,
    draft: NamedTempFile,
}

impl HarFile {
    /// A place at this path; the recording that may already be there stays until it is replaced.
    pub fn create(path: &Path) -> io::Result<Self> {
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Said of the folder that was named, not of a draft that nobody knows.
        std::fs::metadata(folder)?;
        let draft = NamedTempFile::new_in(folder)?;
        Ok(Self { path: path.to_owned(), draft })
    }

    /// Keeps the recording there.
    pub fn keep(mut self, recording: &Har) -> io::Result<()> {
        self.draft.write_all(recording.to_json().as_bytes())?;
        self.draft.as_file().sync_all()?;
        self.draft.persist(&self.path).map(drop).map_err(|error| error.error)
    }
}
