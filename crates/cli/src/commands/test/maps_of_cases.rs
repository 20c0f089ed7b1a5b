//! Finds maps with cases, and keeps what several cases share.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use actions_drift::{Lock, Recording};
use actions_engine::{CallError, Engine};
use actions_manifest::Profile;
use actions_protocol::ErrorCode;
use tokio::sync::Mutex as AsyncMutex;

use crate::commands::check::{lock_beside, read_lock, valid_map};
use crate::live::LiveOptions;
use crate::maps;

/// The folder of cases beside a map.
const CASES: &str = "cases";
/// The most cases of one map.
const MAX_CASES: usize = 10_000;

/// A map and the files of its cases.
#[derive(Debug)]
pub(super) struct MapOfCases {
    pub(super) path: PathBuf,
    pub(super) cases: Vec<PathBuf>,
}

impl MapOfCases {
    /// Finds the cases at paths: cases, maps, or folders that are searched for maps.
    pub(super) fn find(paths: &[PathBuf]) -> Result<Vec<Self>, CallError> {
        let mut found: Vec<Self> = Vec::new();
        for path in paths {
            if let Some(map) = map_of(path) {
                match found.iter_mut().find(|known| known.path == map) {
                    Some(known) if known.cases.contains(path) => {}
                    Some(known) => known.cases.push(path.clone()),
                    None => found.push(Self { path: map, cases: vec![path.clone()] }),
                }
                continue;
            }
            for path in maps::files(path, None)? {
                let cases = cases_beside(&path);
                found.retain(|known| known.path != path);
                found.push(Self { path, cases });
            }
        }
        found.retain(|map| !map.cases.is_empty());
        if found.is_empty() {
            let message = "there are no cases beside these maps";
            return Err(CallError::new(ErrorCode::ManifestNotFound, message)
                .with_evidence("hint", "make one with `actions record MAP TOOL --case NAME`"));
        }
        Ok(found)
    }
}

/// The map that a file is a case of.
fn map_of(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?;
    let is_case = folder.file_name()? == CASES && path.extension()? == "json" && path.is_file();
    is_case.then(|| folder.parent().unwrap_or(Path::new("")).join("actions.json"))
}

fn cases_beside(map: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(map.with_file_name(CASES)).into_iter().flatten().flatten();
    let mut cases: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_file() && path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    cases.sort();
    cases.truncate(MAX_CASES);
    cases
}

/// A map that was loaded for its cases.
pub(super) struct LoadedMap {
    pub(super) engine: Engine,
    pub(super) lock: Lock,
}

/// Maps and recordings that are in use by some case. What no case uses is let go.
pub(super) struct Shelf {
    live: LiveOptions,
    maps: AsyncMutex<HashMap<PathBuf, Result<Arc<LoadedMap>, CallError>>>,
    recordings: Mutex<HashMap<PathBuf, Weak<Recording>>>,
}

impl Shelf {
    pub(super) fn new(live: LiveOptions) -> Self {
        Self { live, maps: AsyncMutex::default(), recordings: Mutex::default() }
    }

    /// A map, which is loaded for its first case. Cases come map by map, so only the last few maps are kept.
    pub(super) async fn map(&self, map: &MapOfCases) -> Result<Arc<LoadedMap>, CallError> {
        let mut maps = self.maps.lock().await;
        if let Some(known) = maps.get(&map.path) {
            return known.clone();
        }
        maps.retain(|_, known| known.as_ref().is_ok_and(|known| Arc::strong_count(known) > 1));
        let loaded = self.load(&map.path).map(Arc::new);
        maps.insert(map.path.clone(), loaded.clone());
        loaded
    }

    fn load(&self, path: &Path) -> Result<LoadedMap, CallError> {
        let profile = if self.live.lenient { Profile::Lenient } else { Profile::Strict };
        let engine = self.live.engine_of_recording(valid_map(path, profile)?);
        Ok(LoadedMap { engine, lock: read_lock(&lock_beside(path))? })
    }

    /// A recording, which is read for the first case that uses it.
    pub(super) fn recording(&self, path: &Path) -> Result<Arc<Recording>, CallError> {
        let known = || self.recordings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(recording) = known().get(path).and_then(Weak::upgrade) {
            return Ok(recording);
        }
        let recording = Recording::read(path).map_err(|error| {
            CallError::new(ErrorCode::InvalidInput, error.to_string()).with_evidence("hint", error.hint())
        })?;
        let recording = Arc::new(recording);
        let mut known = known();
        known.retain(|_, recording| recording.strong_count() > 0);
        known.insert(path.to_owned(), Arc::downgrade(&recording));
        Ok(recording)
    }
}
