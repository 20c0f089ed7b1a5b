//! The files of the maps of a session: loads them, and loads them again when they change.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use actions_engine::{Engine, Finding};
use actions_manifest::{CheckedManifest, Files, Options, Profile, read_file, validate};

use crate::maps::MapVersion;

/// Makes the engine of a map: its limits, policy and permits are the embedder's.
pub type MakeEngine = Arc<dyn Fn(CheckedManifest) -> Engine + Send + Sync>;

/// Why the file of a map is not used.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {message}", path = path.display())]
#[non_exhaustive]
pub struct MapFileError {
    /// The file.
    pub path: PathBuf,
    /// Why, in one sentence.
    pub message: String,
    /// What the validator found, if the file could be read.
    pub findings: Vec<Finding>,
}

/// What became of a map whose files have changed.
#[derive(Debug)]
#[non_exhaustive]
pub enum MapChange {
    /// The new version is used.
    Reloaded {
        /// The file of the map.
        path: PathBuf,
    },
    /// The new version is not usable, and the old one stays in use.
    Rejected(MapFileError),
}

/// The maps of a session, by their files.
pub struct MapFiles {
    maps: Vec<Loaded>,
    profile: Profile,
    make_engine: MakeEngine,
}

struct Loaded {
    path: PathBuf,
    version: MapVersion,
    /// The map and its imports, as they were when they were last read.
    seen: Vec<(PathBuf, Option<Stamp>)>,
}

/// What tells one content of a file from another without reading it.
type Stamp = (SystemTime, u64, u64);

impl MapFiles {
    /// Loads maps, in order of precedence.
    pub fn load(
        paths: impl IntoIterator<Item = PathBuf>,
        profile: Profile,
        make_engine: MakeEngine,
    ) -> Result<Self, MapFileError> {
        let load = |path: PathBuf| {
            let version = read(&path, profile, &make_engine)?;
            let seen = stamps(&path, &version.engine);
            Ok(Loaded { path, version, seen })
        };
        let maps = paths.into_iter().map(load).collect::<Result<_, _>>()?;
        Ok(Self { maps, profile, make_engine })
    }

    /// The maps as they are used now.
    pub fn versions(&self) -> Vec<MapVersion> {
        self.maps.iter().map(|map| map.version.clone()).collect()
    }

    /// Loads the maps again whose files have changed since they were last read. A version that is not usable is reported
    /// once, and the one before it stays in use.
    pub fn refresh(&mut self) -> Vec<MapChange> {
        let mut changes = Vec::new();
        for map in &mut self.maps {
            let now: Vec<_> = map.seen.iter().map(|(path, _)| (path.clone(), stamp(path))).collect();
            if now == map.seen {
                continue;
            }
            match read(&map.path, self.profile, &self.make_engine) {
                Ok(version) => {
                    map.seen = stamps(&map.path, &version.engine);
                    map.version = version;
                    changes.push(MapChange::Reloaded { path: map.path.clone() });
                }
                Err(error) => {
                    map.seen = now;
                    changes.push(MapChange::Rejected(error));
                }
            }
        }
        changes
    }
}

fn read(path: &Path, profile: Profile, make_engine: &MakeEngine) -> Result<MapVersion, MapFileError> {
    let failed = |message: String, findings| MapFileError { path: path.to_owned(), message, findings };
    let bytes = read_file(path).map_err(|error| failed(error.to_string(), Vec::new()))?;
    let name = path.display().to_string();
    let validation = validate(&name, &bytes, &Options { profile, imports: &Files::of(path) });
    match validation.manifest {
        Some(manifest) => Ok(MapVersion::named(name, make_engine(manifest))),
        None => Err(failed("the map breaks the rules of the format".to_owned(), validation.findings)),
    }
}

/// The files of a map and its imports with their stamps.
fn stamps(path: &Path, engine: &Engine) -> Vec<(PathBuf, Option<Stamp>)> {
    let parts = engine.manifest().parts().iter().map(|part| PathBuf::from(part.document().source().name()));
    let mut paths: Vec<PathBuf> = std::iter::once(path.to_owned()).chain(parts).collect();
    paths.dedup();
    paths.into_iter().map(|path| (path.clone(), stamp(&path))).collect()
}

fn stamp(path: &Path) -> Option<Stamp> {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len(), metadata.ino()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn map(tool: &str) -> String {
        format!(
            r#"{{ "protocol": "actions.json", "version": 1, "surface": {{ "origin": "https://a.example", "name": "A" }},
                "tools": [{{ "name": "{tool}", "description": "A tool.", "input_schema": {{}},
                "x_actions": {{ "static_output": 1 }} }}] }}"#
        )
    }

    fn tools(files: &MapFiles) -> Vec<String> {
        files.versions()[0].engine.tools().collect()
    }

    #[test]
    fn a_changed_map_is_loaded_again_and_a_broken_one_is_reported_once_and_not_used() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("actions.json");
        fs::write(&path, map("one")).unwrap();
        let mut files = MapFiles::load([path.clone()], Profile::Strict, Arc::new(Engine::new)).unwrap();
        assert!(files.refresh().is_empty());
        fs::write(&path, map("another")).unwrap();
        assert!(matches!(files.refresh().as_slice(), [MapChange::Reloaded { .. }]));
        assert_eq!(tools(&files), ["another"]);

        fs::write(&path, "{").unwrap();
        let changes = files.refresh();
        let [MapChange::Rejected(error)] = changes.as_slice() else { panic!("{changes:?}") };
        assert!(!error.findings.is_empty());
        assert!(files.refresh().is_empty());
        assert_eq!(tools(&files), ["another"]);
        fs::remove_file(&path).unwrap();
        assert!(matches!(files.refresh().as_slice(), [MapChange::Rejected(_)]));
        fs::write(&path, map("third")).unwrap();
        assert!(matches!(files.refresh().as_slice(), [MapChange::Reloaded { .. }]));
        assert_eq!(tools(&files), ["third"]);
    }

    #[test]
    fn a_map_that_is_not_usable_from_the_start_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("actions.json");
        let load = || MapFiles::load([path.clone()], Profile::Strict, Arc::new(Engine::new)).err().unwrap();
        assert!(load().findings.is_empty());
        fs::write(&path, "{}").unwrap();
        assert!(!load().findings.is_empty());
    }
}
