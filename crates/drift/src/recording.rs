//! Recordings as places to look at: which documents are in them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use actions_engine::browser::har::Har;
use actions_engine::browser::{Archive, HarError};

/// The most recordings of one map that are read.
const MAX_RECORDINGS: usize = 100;

/// A recording and the addresses of its pages.
#[derive(Clone, Debug)]
pub struct Recording {
    /// What answers requests.
    pub archive: Arc<Archive>,
    /// The addresses of the documents in it that were answered, in their order.
    pub pages: Vec<String>,
}

impl Recording {
    /// Reads a recording.
    pub fn read(path: &Path) -> Result<Self, HarError> {
        let har = Har::read(path)?;
        let archive = Arc::new(Archive::of(&har, &path.display().to_string())?);
        Ok(Self { archive, pages: pages(&har) })
    }
}

/// The documents of a recording, each once.
fn pages(har: &Har) -> Vec<String> {
    let mut pages: Vec<String> = Vec::new();
    for entry in &har.log.entries {
        let kind = entry.response.content.mime_type.as_str();
        let is_page = entry.request.method.eq_ignore_ascii_case("GET")
            && entry.response.status == 200
            && (kind.starts_with("text/html") || kind.starts_with("application/xhtml"))
            && entry.resource_type.as_deref().is_none_or(|kind| kind == "document");
        if is_page && !pages.contains(&entry.request.url) {
            pages.push(entry.request.url.clone());
        }
    }
    pages
}

/// The recordings beside a map, in the order of their names.
pub fn recordings_beside(map: &Path) -> Vec<PathBuf> {
    let folder = map.with_file_name("recordings");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "har"))
        .collect();
    found.sort();
    found.truncate(MAX_RECORDINGS);
    found
}
