//! Loads the maps that a map imports.

use std::ffi::OsStr;
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
    /// The file is outside the folder of the first map and its storage root.
    #[error("it is outside the folder of the map")]
    Outside,
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

/// Loads files near a map. A relative path starts at the folder of the map that imports it.
///
/// An import stays inside the folder of the first map. If that map belongs to a storage root, its imports may come from
/// the whole root. Symbolic links are resolved before the place of a file is compared.
#[derive(Clone, Debug)]
pub struct Files {
    /// The folder that holds everything that may be imported.
    area: PathBuf,
}

impl Files {
    /// Loads the imports of the map at `path`.
    pub fn of(path: impl AsRef<Path>) -> Self {
        let folder = path.as_ref().parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        // A folder that does not exist holds nothing to import.
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        Self { area: storage_root(&folder).unwrap_or(folder) }
    }
}

/// The file that marks a storage root, and the folder of its maps by host.
const STORAGE: (&str, &str) = ("storage.json", "sites");

/// The storage root that a folder belongs to: the nearest one with `storage.json`, or else its `sites` folder, whose
/// maps are at `sites/<host>/<surface…>`.
fn storage_root(folder: &Path) -> Option<PathBuf> {
    let (marker, sites) = STORAGE;
    let marked = folder.ancestors().find(|above| above.join(marker).is_file());
    let named = || {
        let hosts = folder.ancestors().filter(|above| above.file_name().is_some_and(is_host));
        hosts.filter_map(Path::parent).find(|above| above.file_name().is_some_and(|name| name == sites))
    };
    marked.or_else(named).map(Path::to_owned)
}

fn is_host(name: &OsStr) -> bool {
    name == "localhost" || name.to_string_lossy().contains('.')
}

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
        let io = |error| LoadError::Io { path: path.clone(), error };
        let inside = |place: &PathBuf| place.starts_with(&self.area);
        match path.canonicalize() {
            Ok(place) if inside(&place) => {
                let bytes = read_file(&place).map_err(io)?;
                Ok(Loaded { name: path.display().to_string(), bytes })
            }
            // Outside the area a missing file is reported as an existing one is: a map must not learn which files exist.
            Err(error) if nearest_folder(&path).as_ref().is_some_and(inside) => Err(io(error)),
            _ => Err(LoadError::Outside),
        }
    }
}

/// The innermost folder on the way to a missing file that exists, with symbolic links resolved.
fn nearest_folder(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    path.ancestors().skip(1).find_map(|above| above.canonicalize().ok())
}

/// Reads a regular file, at most one byte over the limit: the reader then reports that it is too large. A pipe or a
/// device is refused, because reading it may never end.
pub fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "this is not a regular file"));
    }
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn load(map: &Path, uri: &str) -> String {
        match Files::of(map).load(&map.display().to_string(), uri) {
            Ok(loaded) => String::from_utf8_lossy(&loaded.bytes).into_owned(),
            Err(LoadError::Outside) => "outside".to_owned(),
            Err(LoadError::Io { .. }) => "unreadable".to_owned(),
            Err(other) => other.to_string(),
        }
    }

    #[test]
    fn an_import_stays_inside_the_folder_of_its_map() {
        let all = tempfile::tempdir().unwrap();
        let folder = all.path().join("map/parts");
        fs::create_dir_all(&folder).unwrap();
        fs::write(all.path().join("secret"), "secret").unwrap();
        fs::write(folder.join("part.json"), "part").unwrap();
        symlink(all.path().join("secret"), folder.join("link.json")).unwrap();
        symlink(all.path(), folder.join("above")).unwrap();
        let map = all.path().join("map/actions.json");
        let secret = all.path().join("secret").display().to_string();
        assert_eq!(load(&map, "parts/part.json"), "part");
        assert_eq!(load(&map, "parts/../parts/part.json"), "part");
        assert_eq!(load(&map, &format!("file://{}", folder.join("part.json").display())), "part");
        assert_eq!(load(&map, "parts/none.json"), "unreadable");
        assert_eq!(load(&map, "parts"), "unreadable");
        for uri in [
            "../secret",
            &secret,
            &format!("file://{secret}"),
            "parts/link.json",
            "parts/above/secret",
            "../none",
        ] {
            assert_eq!(load(&map, uri), "outside", "{uri}");
        }
    }

    #[test]
    fn an_import_may_come_from_the_storage_root_of_its_map() {
        let all = tempfile::tempdir().unwrap();
        let marked = all.path().join("marked");
        for folder in ["sites/a.example/one", "sites/a.example/two", "marked/a/one", "marked/b"] {
            fs::create_dir_all(all.path().join(folder)).unwrap();
            fs::write(all.path().join(folder).join("actions.json"), "map").unwrap();
        }
        fs::write(marked.join("storage.json"), "{}").unwrap();
        fs::write(all.path().join("secret"), "secret").unwrap();
        let site = all.path().join("sites/a.example/one/actions.json");
        assert_eq!(load(&site, "../two/actions.json"), "map");
        assert_eq!(load(&site, "../../../secret"), "outside");
        assert_eq!(load(&marked.join("a/one/actions.json"), "../../b/actions.json"), "map");
        assert_eq!(load(&marked.join("a/one/actions.json"), "../../../secret"), "outside");
    }

    #[test]
    fn a_pipe_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe.json");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        assert_eq!(load(&folder.path().join("actions.json"), "pipe.json"), "unreadable");
    }
}
