//! A recording as a file.

use std::io::{self, Write};
use std::path::Path;

use super::Har;

impl Har {
    /// The recording as JSON text.
    pub fn to_json(&self) -> String {
        // Plain data with text for keys cannot fail to become text.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Writes the recording; the file is there in whole or not at all.
    pub fn write(&self, file: &Path) -> io::Result<()> {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let mut draft = tempfile::NamedTempFile::new_in(folder)?;
        draft.write_all(self.to_json().as_bytes())?;
        draft.as_file().sync_all()?;
        draft.persist(file).map(drop).map_err(|error| error.error)
    }
}
