//! `storage.import_bundle`: takes the maps and files of a bundle into the storage folder.

use actions_protocol::{ErrorCode, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Failure;
use crate::scene::Scene;
use crate::services::{BundleEntry, BundleStorage, Host};

#[derive(Deserialize)]
pub(crate) struct Args {
    bundle: Bundle,
}

#[derive(Deserialize)]
struct Bundle {
    entries: Vec<Map<String, Value>>,
}

#[derive(Serialize)]
pub(crate) struct Output {
    entry_count: usize,
    imported_at: Timestamp,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let storage = storage(&scene)?;
    let entries = args.bundle.entries.into_iter().enumerate().map(|(index, entry)| read(index, entry));
    let entry_count = storage.import(entries.collect::<Result<_, _>>()?).await?;
    let imported_at = Timestamp::from_unix_millis(scene.stage.clock().unix_millis());
    Ok(Output { entry_count, imported_at })
}

/// An entry of a bundle: a path, and its content as a text or as JSON. Bridges write either name of the content.
fn read(index: usize, mut entry: Map<String, Value>) -> Result<BundleEntry, Failure> {
    let path = entry.get("path").or(entry.get("relative_path")).and_then(Value::as_str).map(str::to_owned);
    let content = ["content", "text", "json"].iter().find_map(|key| entry.remove(*key));
    let content = content.map(|content| match content {
        Value::String(text) => text,
        json => json.to_string(),
    });
    match (path, content) {
        (Some(path), Some(content)) => Ok(BundleEntry { path, content }),
        (path, _) => {
            let missing = if path.is_none() { "path" } else { "content" };
            let message = format!("entry {index} of the bundle has no `{missing}`");
            Err(Failure::new(ErrorCode::InvalidInput, message)
                .with_evidence("path", format!("/bundle/entries/{index}/{missing}")))
        }
    }
}

/// The storage of the session.
pub(super) fn storage<'s>(scene: &Scene<'s>) -> Result<&'s dyn BundleStorage, Failure> {
    scene.stage.memory().host.get().and_then(Host::storage).ok_or_else(|| {
        let message =
            "this session has no storage folder: the program that opened it reads its maps from files";
        Failure::new(ErrorCode::CapabilityUnavailable, message)
    })
}
