//! Files that a map declares.

use std::path::PathBuf;

/// A file that a map declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapFile {
    /// Its id in the map.
    pub id: Option<String>,
    /// Its path as the map writes it.
    pub path: String,
    /// What sort of file it is, such as `skill`.
    pub kind: Option<String>,
    /// The folder of the map. The path is relative to it and must not leave it.
    pub folder: PathBuf,
}

impl MapFile {
    /// The file on disk, if it is there and inside the folder of the map.
    pub(crate) fn on_disk(&self) -> Option<PathBuf> {
        let folder = self.folder.canonicalize().ok()?;
        let file = folder.join(&self.path).canonicalize().ok()?;
        (file.starts_with(&folder) && file.is_file()).then_some(file)
    }
}
