//! `storage.json`: what a storage root says about itself.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use super::Scope;

/// Why a storage root cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StorageError {
    /// A file or folder could not be read.
    #[error("{path}: {error}", path = path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// `storage.json` is not as it must be.
    #[error("{path}: {problem}", path = path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// There are more folders than a search looks into.
    #[error("{path}: the storage root has more than {limit} files and folders", path = path.display())]
    TooLarge {
        /// The folder where the search ended.
        path: PathBuf,
        /// How many it looks into.
        limit: usize,
    },
}

/// What `storage.json` says.
pub(super) struct Description {
    pub(super) mounts: Vec<Mount>,
}

/// A folder that the root names.
pub(super) struct Mount {
    pub(super) path: PathBuf,
    pub(super) scope: Scope,
}

#[derive(Deserialize)]
struct Text {
    protocol: String,
    #[serde(default)]
    mounts: BTreeMap<String, MountText>,
}

#[derive(Deserialize)]
struct MountText {
    path: String,
    visibility: Option<String>,
}

/// The longest `storage.json`.
const LONGEST: u64 = 1 << 20;

/// Reads `storage.json`; `None` if there is none.
pub(super) fn read(folder: &Path) -> Result<Option<Description>, StorageError> {
    let path = folder.join("storage.json");
    let unreadable = |error| StorageError::Unreadable { path: path.clone(), error };
    let malformed = |problem: String| StorageError::Malformed { path: path.clone(), problem };
    let metadata = match std::fs::symlink_metadata(&path) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(unreadable(error)),
        Ok(metadata) => metadata,
    };
    if !metadata.is_file() {
        return Err(malformed("it is not a file".to_owned()));
    }
    if metadata.len() > LONGEST {
        return Err(malformed(format!("it is larger than {LONGEST} bytes")));
    }
    let bytes = std::fs::read(&path).map_err(unreadable)?;
    let text: Text = serde_json::from_slice(&bytes).map_err(|error| malformed(error.to_string()))?;
    if text.protocol != "actions.json.storage" {
        return Err(malformed(format!("its protocol is `{}`, not `actions.json.storage`", text.protocol)));
    }
    let mount = |(name, mount): (String, MountText)| {
        let path = PathBuf::from(&mount.path);
        let is_inside =
            path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !is_inside {
            return Err(malformed(format!("the mount `{name}` leaves the storage root: {}", mount.path)));
        }
        let word = mount.visibility.as_deref().unwrap_or("private");
        let scope = Scope::of_word(word, &name);
        let scope =
            scope.ok_or_else(|| malformed(format!("the mount `{name}` has the visibility `{word}`")))?;
        Ok(Mount { path, scope })
    };
    let mounts = text.mounts.into_iter().map(mount).collect::<Result<_, _>>()?;
    Ok(Some(Description { mounts }))
}
