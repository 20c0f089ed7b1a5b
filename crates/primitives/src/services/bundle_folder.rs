//! A folder that bundles of maps and files are taken into.

use std::fs;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use actions_protocol::ErrorCode;
use async_trait::async_trait;

use super::host::{BundleEntry, BundleStorage, Synced};
use crate::Failure;

/// The most files, the largest file and the largest bundle, in bytes.
const MOST_FILES: usize = 2_000;
const LARGEST_FILE: usize = 4 * 1024 * 1024;
const LARGEST_BUNDLE: usize = 32 * 1024 * 1024;

/// A folder that bundles are taken into. Nothing outside of it is written, and links are not followed.
pub struct BundleFolder {
    folder: PathBuf,
    runtimes: Box<dyn Fn() -> usize + Send + Sync>,
}

impl std::fmt::Debug for BundleFolder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BundleFolder").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl BundleFolder {
    /// Uses a folder. `runtimes` says how many runtimes work with it; they read it again with their next call.
    pub fn new(folder: PathBuf, runtimes: impl Fn() -> usize + Send + Sync + 'static) -> Self {
        Self { folder, runtimes: Box::new(runtimes) }
    }

    /// The place of an entry in the folder.
    fn place(&self, path: &str) -> Result<PathBuf, Failure> {
        let refuse = |why: &str| {
            Failure::new(ErrorCode::InvalidInput, format!("the path `{path}` of the bundle {why}"))
                .with_evidence("path", path)
        };
        let relative = Path::new(path);
        let is_plain = relative.components().all(|part| matches!(part, Component::Normal(_)));
        if path.is_empty() || path.contains(['\\', '\0']) || !is_plain {
            return Err(refuse("leads out of the folder"));
        }
        let mut at = self.folder.clone();
        for part in relative.components() {
            at.push(part);
            match fs::symlink_metadata(&at) {
                Ok(found) if found.file_type().is_symlink() => return Err(refuse("goes through a link")),
                _ => {}
            }
        }
        if at.is_dir() {
            return Err(refuse("is a folder"));
        }
        Ok(at)
    }
}

#[async_trait]
impl BundleStorage for BundleFolder {
    async fn import(&self, entries: Vec<BundleEntry>) -> Result<usize, Failure> {
        let total: usize = entries.iter().map(|entry| entry.content.len()).sum();
        let too_large = entries.iter().any(|entry| entry.content.len() > LARGEST_FILE);
        if entries.len() > MOST_FILES || total > LARGEST_BUNDLE || too_large {
            let message = format!(
                "the bundle is too large: {MOST_FILES} files, {LARGEST_FILE} bytes each and {LARGEST_BUNDLE} bytes together are allowed"
            );
            return Err(Failure::new(ErrorCode::InvalidInput, message)
                .with_evidence("entry_count", entries.len())
                .with_evidence("bytes", total));
        }
        // Every path is checked and every text written to the disk before the first file is replaced.
        let places = entries.iter().map(|entry| self.place(&entry.path)).collect::<Result<Vec<_>, _>>()?;
        let mut written = Vec::new();
        for (place, entry) in places.iter().zip(&entries) {
            let folder = place.parent().unwrap_or(&self.folder);
            let file = fs::create_dir_all(folder)
                .and_then(|()| tempfile::NamedTempFile::new_in(folder))
                .and_then(|mut file| file.write_all(entry.content.as_bytes()).map(|()| file))
                .map_err(|error| unwritten(place, &error))?;
            written.push((file, place));
        }
        for (file, place) in written {
            file.persist(place).map_err(|error| unwritten(place, &error.error))?;
        }
        Ok(entries.len())
    }

    async fn sync(&self) -> Result<Synced, Failure> {
        let mut open = vec![self.folder.clone()];
        let mut entry_count = 0;
        while let Some(folder) = open.pop() {
            let entries = fs::read_dir(&folder).map_err(|error| unwritten(&folder, &error))?;
            for entry in entries.flatten() {
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => open.push(entry.path()),
                    Ok(kind) if kind.is_file() && entry_count < MOST_FILES => entry_count += 1,
                    _ => {}
                }
            }
        }
        Ok(Synced { entry_count, runtime_count: (self.runtimes)() })
    }
}

fn unwritten(path: &Path, error: &std::io::Error) -> Failure {
    let message = format!("{} cannot be used: {error}", path.display());
    Failure::new(ErrorCode::CapabilityUnavailable, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(path: &str) -> BundleEntry {
        BundleEntry { path: path.to_owned(), content: "text".to_owned() }
    }

    #[tokio::test]
    async fn a_bundle_with_one_bad_path_changes_nothing() {
        let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(outside.path(), inside.path().join("link")).unwrap();
        let storage = BundleFolder::new(inside.path().to_owned(), || 1);
        for path in ["../a", "/etc/a", "link/a", "", "a/../../b", "a\\b"] {
            let refused = storage.import(vec![entry("good"), entry(path)]).await.unwrap_err();
            assert_eq!(refused.code, ErrorCode::InvalidInput, "{path}");
        }
        assert!(!inside.path().join("good").exists());
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
        assert_eq!(storage.import(vec![entry("sites/a/actions.json")]).await.unwrap(), 1);
        assert_eq!(storage.sync().await.unwrap(), Synced { entry_count: 1, runtime_count: 1 });
    }
}
