//! Writes a recording to a file.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::Har;

impl Har {
    /// The recording as JSON text.
    pub fn to_json(&self) -> String {
        // Serialising plain data with string keys cannot fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// A file for a recording. Creating this checks that it can be written; keeping a recording replaces the file
/// atomically.
#[derive(Debug)]
pub struct HarFile {
    path: PathBuf,
    draft: NamedTempFile,
}

impl HarFile {
    /// Prepares to write to this path. An existing file stays until a recording replaces it.
    pub fn create(path: &Path) -> io::Result<Self> {
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Fail here with an error about this folder, rather than below with one about a temporary file.
        std::fs::metadata(folder)?;
        let draft = NamedTempFile::new_in(folder)?;
        Ok(Self { path: path.to_owned(), draft })
    }

    /// Writes the recording.
    pub fn keep(mut self, recording: &Har) -> io::Result<()> {
        self.draft.write_all(recording.to_json().as_bytes())?;
        self.draft.as_file().sync_all()?;
        self.draft.persist(&self.path).map(drop).map_err(|error| error.error)
    }
}
