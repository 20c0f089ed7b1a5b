//! `storage.list`: lists the files that the map declares.

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::scene::Scene;

/// The kind of a file whose map names none.
pub(super) const PLAIN: &str = "file";

#[derive(Deserialize)]
pub(crate) struct Args {
    max_entries: usize,
}

#[derive(Serialize)]
pub(crate) struct Output {
    entry_count: usize,
    entries: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    id: Option<String>,
    path: String,
    kind: String,
    present: bool,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let files = scene.stage.services().files();
    if files.len() > args.max_entries {
        let message = format!("the map declares {} files; {} are allowed", files.len(), args.max_entries);
        return Err(Failure::new(ErrorCode::PayloadTooLarge, message)
            .with_evidence("entry_count", files.len())
            .with_evidence("limit", args.max_entries)
            .with_evidence("hint", "raise `max_entries`"));
    }
    let entries = files.into_iter().map(|file| Entry {
        present: file.on_disk().is_some(),
        id: file.id,
        path: file.path,
        kind: file.kind.unwrap_or_else(|| PLAIN.to_owned()),
    });
    let entries: Vec<Entry> = entries.collect();
    Ok(Output { entry_count: entries.len(), entries })
}
