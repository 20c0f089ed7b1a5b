//! Loads the maps that a map imports.

use std::io::Read;
use std::path::{Path, PathBuf};

use actions_protocol::limits;

/// A map that was found.
#[derive(Debug)]
pub struct Loaded {
    /// Its name: a path or an address, unique for each map.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Why a map could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The map is on the network, and network imports are off.
    #[error("importing from the network is off")]
    NetworkOff,
    /// Imports are off for this validation.
    #[error("imports are off")]
    ImportsOff,
    /// The address is of a kind that cannot be loaded.
    #[error("`{scheme}:` addresses cannot be imported")]
    UnknownScheme {
        /// The scheme of the address.
        scheme: String,
    },
    /// The file could not be read.
    #[error("{path}: {error}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
}

/// Finds imported maps.
pub trait Load: Sync {
    /// Loads the map at `uri`, as it stands in the map called `from`.
    fn load(&self, from: &str, uri: &str) -> Result<Loaded, LoadError>;
}

/// Loads nothing: every enabled import is reported.
#[derive(Clone, Copy, Debug)]
pub struct NoImports;

impl Load for NoImports {
    fn load(&self, _: &str, _: &str) -> Result<Loaded, LoadError> {
        Err(LoadError::ImportsOff)
    }
}

/// Loads files; a relative path starts at the folder of the map that imports it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Files;

impl Load for Files {
    fn load(&self, from: &str, uri: &str) -> Result<Loaded, LoadError> {
        match uri.split_once("://") {
            Some(("http" | "https", _)) => return Err(LoadError::NetworkOff),
            Some((scheme, _)) if scheme != "file" => {
                return Err(LoadError::UnknownScheme { scheme: scheme.to_owned() });
            }
            Some(_) | None => {}
        }
        let path = uri.strip_prefix("file://").unwrap_or(uri);
        let folder = Path::new(from).parent().unwrap_or(Path::new(""));
        let path = tidy(&folder.join(path));
        let bytes = read_file(&path).map_err(|error| LoadError::Io { path: path.clone(), error })?;
        Ok(Loaded { name: path.display().to_string(), bytes })
    }
}

/// Reads a file, at most one byte over the limit: the reader then reports that it is too large.
pub fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(limits::MAP_BYTES.0 as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The path without `.` and, where the text alone decides that, without `..`.
fn tidy(path: &Path) -> PathBuf {
    use std::path::Component;
    path.components().fold(PathBuf::new(), |mut tidy, component| {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(tidy.components().next_back(), Some(Component::Normal(_))) => {
                tidy.pop();
            }
            other => tidy.push(other),
        }
        tidy
    })
}
