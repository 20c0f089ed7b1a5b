//! Finds and validates the maps that a command is given.

use std::path::{Path, PathBuf};

use actions_engine::CallError;
use actions_manifest::{CheckedManifest, Files, Finding, Options, Profile, Validation, read_file, validate};
use actions_protocol::ErrorCode;
use actions_runtime::{StorageError, StorageRoot, StoredMap};

use crate::failure::{Around, explain};
use crate::findings;
use crate::text::line;

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

/// What a command wants from one of several maps.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted<'w> {
    Tool(&'w str),
    Projection(&'w str),
}

impl Wanted<'_> {
    fn is_in(self, manifest: &CheckedManifest) -> bool {
        match self {
            Wanted::Tool(name) => manifest.tool(name).is_some(),
            Wanted::Projection(name) => manifest.projection(name).is_some(),
        }
    }

    fn noun(self) -> &'static str {
        match self {
            Wanted::Tool(_) => "tool",
            Wanted::Projection(_) => "projection",
        }
    }

    fn name(&self) -> &str {
        let (Wanted::Tool(name) | Wanted::Projection(name)) = self;
        name
    }

    /// The error when no map has it.
    fn missing(self, maps: &[CheckedManifest]) -> CallError {
        let (code, key, names): (_, _, Vec<String>) = match self {
            Wanted::Tool(_) => {
                let names = maps
                    .iter()
                    .flat_map(|map| map.tools().map(|tool| tool.name.to_string()).collect::<Vec<_>>());
                (ErrorCode::UnknownAction, "tools", names.collect())
            }
            Wanted::Projection(_) => {
                let names = maps.iter().flat_map(|map| {
                    map.projections().map(|known| known.name.to_string()).collect::<Vec<_>>()
                });
                (ErrorCode::StateProjectionNotFound, "projections", names.collect())
            }
        };
        let message = format!("no map of the storage root has the {} `{}`", self.noun(), self.name());
        CallError::new(code, message).with_evidence(key, names)
    }
}

/// A folder as a storage root, if it is one and not the folder of a single map.
pub(crate) fn storage_root(path: &Path) -> Result<Option<StorageRoot>, CallError> {
    if !path.is_dir() || path.join(MAP).is_file() {
        return Ok(None);
    }
    StorageRoot::open(path).map_err(|error| {
        let code = match error {
            StorageError::Malformed { .. } => ErrorCode::ManifestInvalid,
            _ => ErrorCode::ManifestNotFound,
        };
        CallError::new(code, error.to_string()).with_evidence("hint", "correct the storage root")
    })
}

/// The maps of a storage root for an address, or all of them without one.
pub(crate) fn stored(root: &StorageRoot, url: Option<&str>) -> Result<Vec<StoredMap>, CallError> {
    let maps: Vec<StoredMap> = match url {
        Some(url) => root.for_url(url).into_iter().cloned().collect(),
        None => root.maps().to_vec(),
    };
    if !maps.is_empty() {
        return Ok(maps);
    }
    let folder = root.folder().display();
    let message = match url {
        Some(url) => format!("no map of the storage root {folder} is for the host of {url}"),
        None => format!("the storage root {folder} has no maps"),
    };
    let mut hosts: Vec<&str> = root.maps().iter().map(|map| map.host.as_str()).collect();
    hosts.dedup();
    Err(CallError::new(ErrorCode::ManifestNotFound, message)
        .with_evidence("hint", format!("it has maps for: {}", hosts.join(", "))))
}

/// Loads the map that a command works with: the map at a path, or the one of a storage root that has what is wanted. In a
/// storage root the address decides, and then the scope: private maps come before shared and public ones.
pub(crate) fn choose(
    path: &Path,
    profile: Profile,
    url: Option<&str>,
    wanted: Wanted<'_>,
) -> Result<CheckedManifest, CallError> {
    let explained = |error: CallError| {
        explain(&error, Around::default());
        error
    };
    let Some(root) = storage_root(path).map_err(explained)? else {
        let (map, left_out) = loaded(path, profile)?;
        if !wanted.is_in(&map) {
            findings::human::print(&left_out);
        }
        return Ok(map);
    };
    let stored = stored(&root, url).map_err(explained)?;
    let maps = stored.iter().map(|map| load(&map.path, profile)).collect::<Result<Vec<_>, _>>()?;
    let having: Vec<usize> = (0..maps.len()).filter(|at| wanted.is_in(&maps[*at])).collect();
    let chosen = match having.as_slice() {
        [] => return Err(explained(wanted.missing(&maps))),
        [first, ..] if url.is_some() || having.len() == 1 => *first,
        several => {
            let paths: Vec<String> =
                several.iter().map(|at| line(&stored[*at].path.display().to_string())).collect();
            let message = format!(
                "{} maps of the storage root have the {} `{}`",
                several.len(),
                wanted.noun(),
                wanted.name()
            );
            let hint = format!("choose the host with `--url`, or pass one of: {}", paths.join(", "));
            return Err(explained(
                CallError::new(ErrorCode::WrongUsage, message).with_evidence("hint", hint),
            ));
        }
    };
    Ok(maps.into_iter().nth(chosen).expect("it was chosen among them"))
}

/// Loads the map at a path, or the one of a storage root that comes first for an address.
pub(crate) fn first(path: &Path, profile: Profile, url: Option<&str>) -> Result<CheckedManifest, CallError> {
    let explained = |error: CallError| {
        explain(&error, Around::default());
        error
    };
    let Some(root) = storage_root(path).map_err(explained)? else { return load(path, profile) };
    let stored = stored(&root, url).map_err(explained)?;
    match stored.as_slice() {
        [first, ..] if url.is_some() || stored.len() == 1 => load(&first.path, profile),
        _ => Err(explained(
            CallError::new(ErrorCode::WrongUsage, "the storage root has maps for several sites")
                .with_evidence("hint", "choose the site with `--url`"),
        )),
    }
}

/// The files of the maps at a path: the file itself, those of a storage root for an address, or every actions.json below a
/// folder.
pub(crate) fn files(path: &Path, url: Option<&str>) -> Result<Vec<PathBuf>, CallError> {
    match storage_root(path)? {
        Some(root) => Ok(stored(&root, url)?.into_iter().map(|map| map.path).collect()),
        None => find(path).into_iter().map(|map| map.map_err(|error| CallError::from(&error))).collect(),
    }
}

/// Reads and validates one map.
pub(crate) fn validate_file(path: &Path, profile: Profile) -> Result<Validation, MapError> {
    let bytes = read_file(path).map_err(|error| MapError::Unreadable { path: path.to_owned(), error })?;
    Ok(validate(&path.display().to_string(), &bytes, &Options { profile, imports: &Files::of(path) }))
}

/// An error of a background session, with its places named as from the folder of this command.
pub(crate) fn from_here(mut error: CallError) -> CallError {
    let Ok(here) = std::env::current_dir() else { return error };
    let places = error.step.as_deref_mut().map(|step| &mut step.place).into_iter();
    for place in places.chain(error.place.as_deref_mut()) {
        if let Ok(relative) = Path::new(&place.map).strip_prefix(&here) {
            place.map = relative.display().to_string();
        }
    }
    error
}

/// The map that an error of a background session is about, to show its lines. `None` if it cannot be read any more.
pub(crate) fn of_error(error: &CallError) -> Option<CheckedManifest> {
    let path = Path::new(&error.place()?.map);
    validate_file(path, Profile::Lenient).ok()?.manifest
}

/// Loads a valid manifest. On failure, prints every finding and returns a short error.
pub(crate) fn load(path: &Path, profile: Profile) -> Result<CheckedManifest, CallError> {
    loaded(path, profile).map(|(map, _)| map)
}

/// Like [`load`], and prints what the lenient profile leaves out of the map.
pub(crate) fn load_telling(path: &Path, profile: Profile) -> Result<CheckedManifest, CallError> {
    let (map, left_out) = loaded(path, profile)?;
    findings::human::print(&left_out);
    Ok(map)
}

/// Loads a valid manifest, with the findings that say what the lenient profile leaves out of it.
fn loaded(path: &Path, profile: Profile) -> Result<(CheckedManifest, Vec<Finding>), CallError> {
    let path = if path.is_dir() { path.join(MAP) } else { path.to_owned() };
    let validation = validate_file(&path, profile).map_err(|error| {
        let error = CallError::from(&error);
        explain(&error, Around::default());
        error
    })?;
    let Some(manifest) = validation.manifest else {
        findings::human::print(&validation.findings);
        let message = format!("{} breaks the rules of the format; standard error says where", path.display());
        return Err(CallError::new(ErrorCode::ManifestInvalid, message));
    };
    Ok((manifest, validation.findings.into_iter().filter(|finding| finding.left_out).collect()))
}
