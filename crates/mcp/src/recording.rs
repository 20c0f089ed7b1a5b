//! What is in a recording of a network, without its bodies.

use std::path::{Path, PathBuf};

use actions_engine::{CallError, ErrorCode};
use serde_json::{Value, json};

/// The largest recording that is read.
const LARGEST: u64 = 64 << 20;

/// How many requests are listed.
const LISTED: usize = 500;

/// The recordings of maps: the HAR files in the folder `recordings` beside each of them.
pub fn recordings_of<'m>(maps: impl IntoIterator<Item = &'m Path>) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for map in maps {
        let folder = map.parent().unwrap_or(Path::new(".")).join("recordings");
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        found.extend(
            entries
                .map(|entry| entry.path())
                .filter(|path| path.extension().is_some_and(|kind| kind == "har")),
        );
    }
    found.sort();
    found.dedup();
    found.truncate(LISTED);
    found
}

/// The name by which clients know a recording: that of its file, if it can stand in an address.
pub(crate) fn name(path: &Path) -> Option<&str> {
    let name = path.file_stem()?.to_str()?;
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    name.chars().all(fits).then_some(name)
}

/// The requests of a recording: method, address, status, type and size.
pub(crate) fn summary(path: &Path) -> Result<Value, CallError> {
    let failed = |why: String| {
        let name = name(path).unwrap_or_default();
        CallError::new(ErrorCode::InvalidInput, format!("the recording `{name}` cannot be read: {why}"))
    };
    let size = std::fs::metadata(path).map_err(|error| failed(error.to_string()))?.len();
    if size > LARGEST {
        return Err(failed(format!("it has {size} bytes")));
    }
    let text = std::fs::read(path).map_err(|error| failed(error.to_string()))?;
    let har: Value = serde_json::from_slice(&text).map_err(|error| failed(error.to_string()))?;
    let entries = har["log"]["entries"].as_array().map(Vec::as_slice).unwrap_or_default();
    let listed = entries.iter().take(LISTED).map(|entry| {
        let content = &entry["response"]["content"];
        json!({
            "method": entry["request"]["method"], "url": entry["request"]["url"],
            "status": entry["response"]["status"], "type": content["mimeType"], "bytes": content["size"],
        })
    });
    Ok(json!({ "requests": entries.len(), "entries": listed.collect::<Vec<_>>() }))
}
