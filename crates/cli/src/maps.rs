//! Finding and checking the maps a command was given.

use std::path::{Path, PathBuf};

use actions_manifest::{Checked, CheckedManifest, Files, Options, Profile, check, read_file};
use actions_protocol::ErrorCode;

use crate::findings;
use crate::output::note;

/// The name every map has within a folder.
const MAP: &str = "actions.json";

/// Folders that never hold live maps: version control, dependencies, and copies kept as proof.
const NOT_SEARCHED: &[&str] = &[".git", "node_modules", "target", "dist", "proof"];

/// Why there is no map to work on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MapError {
    #[error("{path}: {error}", path = path.display())]
    Unreadable { path: PathBuf, error: std::io::Error },
    #[error("{path}: there is no actions.json in this folder or below it", path = path.display())]
    NoMaps { path: PathBuf },
}

/// The maps at a path: the file itself, or every actions.json below a folder.
pub(crate) fn find(path: &Path) -> Result<Vec<PathBuf>, MapError> {
    let unreadable = |error| MapError::Unreadable { path: path.to_owned(), error };
    if !std::fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    search(path, &mut found)?;
    found.sort();
    if found.is_empty() {
        return Err(MapError::NoMaps { path: path.to_owned() });
    }
    Ok(found)
}

fn search(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), MapError> {
    let unreadable = |error| MapError::Unreadable { path: folder.to_owned(), error };
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name();
        let kind = entry.file_type().map_err(unreadable)?;
        // Links are not followed into folders: they may lead in a circle.
        if kind.is_dir() && !NOT_SEARCHED.iter().any(|skipped| name == *skipped) {
            search(&entry.path(), found)?;
        } else if !kind.is_dir() && name == MAP {
            found.push(entry.path());
        }
    }
    Ok(())
}

/// Reads and checks one map.
pub(crate) fn check_file(path: &Path, profile: Profile) -> Result<Checked, MapError> {
    let bytes = read_file(path).map_err(|error| MapError::Unreadable { path: path.to_owned(), error })?;
    Ok(check(&path.display().to_string(), &bytes, &Options { profile, imports: &Files }))
}

/// The manifest at a path, for commands that work on a valid one; everything against it is told, and the code of it
/// given back.
pub(crate) fn load(path: &Path, profile: Profile) -> Result<CheckedManifest, ErrorCode> {
    let path = if path.is_dir() { path.join(MAP) } else { path.to_owned() };
    let checked = check_file(&path, profile).map_err(|error| {
        note(format_args!("error: {error}"));
        ErrorCode::ManifestNotFound
    })?;
    checked.manifest.ok_or_else(|| {
        findings::human::tell(&checked.findings);
        ErrorCode::ManifestInvalid
    })
}
