//! Finds and validates the maps that a command is given.

use std::path::{Path, PathBuf};

use actions_engine::CallError;
use actions_manifest::{CheckedManifest, Files, Options, Profile, Validation, read_file, validate};
use actions_protocol::ErrorCode;

use crate::failure::{Around, explain};
use crate::findings;

/// The file name of a map.
const MAP: &str = "actions.json";

/// Folders that the search skips: version control, dependencies, build output, and copies kept as proof.
const NOT_SEARCHED: &[&str] = &[".git", "node_modules", "target", "dist", "proof"];

/// Why no map was loaded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MapError {
    #[error("{path}: {error}", path = path.display())]
    Unreadable { path: PathBuf, error: std::io::Error },
    #[error("{path}: there is no actions.json in this folder or below it", path = path.display())]
    NoMaps { path: PathBuf },
}

impl From<&MapError> for CallError {
    fn from(error: &MapError) -> Self {
        Self::new(ErrorCode::ManifestNotFound, error.to_string())
            .with_evidence("hint", "pass the path of an actions.json file, or of a folder that contains one")
    }
}

/// Returns the maps at a path: the file itself, or every actions.json below a folder. An unreadable entry is an error
/// in the list and does not hide the others.
pub(crate) fn find(path: &Path) -> Vec<Result<PathBuf, MapError>> {
    match std::fs::metadata(path) {
        Err(error) => return vec![Err(MapError::Unreadable { path: path.to_owned(), error })],
        Ok(metadata) if !metadata.is_dir() => return vec![Ok(path.to_owned())],
        Ok(_) => {}
    }
    let mut found = Vec::new();
    search(path, &mut found);
    if found.is_empty() {
        found.push(Err(MapError::NoMaps { path: path.to_owned() }));
    }
    found
}

/// Adds the maps below a folder, sorted by name.
fn search(folder: &Path, found: &mut Vec<Result<PathBuf, MapError>>) {
    let unreadable = |error| Err(MapError::Unreadable { path: folder.to_owned(), error });
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return found.push(unreadable(error)),
    };
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        match entry.file_type() {
            Err(error) => found.push(unreadable(error)),
            // Symbolic links to folders are not followed: they may form a cycle.
            Ok(kind) if kind.is_dir() && !NOT_SEARCHED.iter().any(|skipped| name == *skipped) => {
                search(&entry.path(), found);
            }
            Ok(kind) if !kind.is_dir() && name == MAP => found.push(Ok(entry.path())),
            Ok(_) => {}
        }
    }
}

/// Reads and validates one map.
pub(crate) fn validate_file(path: &Path, profile: Profile) -> Result<Validation, MapError> {
    let bytes = read_file(path).map_err(|error| MapError::Unreadable { path: path.to_owned(), error })?;
    Ok(validate(&path.display().to_string(), &bytes, &Options { profile, imports: &Files::of(path) }))
}

/// The map that an error of a background session is about, to show its lines. `None` if it cannot be read any more.
pub(crate) fn of_error(error: &CallError) -> Option<CheckedManifest> {
    let path = Path::new(&error.place()?.map);
    validate_file(path, Profile::Lenient).ok()?.manifest
}

/// Loads a valid manifest. On failure, prints every finding and returns a short error.
pub(crate) fn load(path: &Path, profile: Profile) -> Result<CheckedManifest, CallError> {
    let path = if path.is_dir() { path.join(MAP) } else { path.to_owned() };
    let validation = validate_file(&path, profile).map_err(|error| {
        let error = CallError::from(&error);
        explain(&error, Around::default());
        error
    })?;
    validation.manifest.ok_or_else(|| {
        findings::human::print(&validation.findings);
        let message = format!("{} breaks the rules of the format; standard error says where", path.display());
        CallError::new(ErrorCode::ManifestInvalid, message)
    })
}
