//! The services that a session of a map offers to primitives.

use std::path::Path;
use std::sync::Arc;

use actions_manifest::{CheckedManifest, Part};
use actions_primitives::{MapFile, Memory, Pacing, Services};
use actions_protocol::Millis;

/// What a session remembers, and the files of its map.
pub(super) struct MapServices {
    memory: Memory,
    manifest: Arc<CheckedManifest>,
}

impl MapServices {
    pub(super) fn new(manifest: Arc<CheckedManifest>, pace: Millis) -> Self {
        Self { memory: Memory { pacing: Pacing::new(pace), ..Memory::default() }, manifest }
    }
}

impl Services for MapServices {
    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn files(&self) -> Vec<MapFile> {
        self.manifest.parts().iter().flat_map(files).collect()
    }
}

/// The files that one map of a composition declares.
fn files(part: &Part) -> Vec<MapFile> {
    let folder = Path::new(part.document().source().name()).parent().unwrap_or(Path::new(""));
    let declared = part.manifest().and_then(|manifest| manifest.x_actions.as_ref());
    let declared = declared.map(|x_actions| x_actions.files.as_slice()).unwrap_or_default();
    let file = |file: &actions_manifest::model::DeclaredFile| MapFile {
        id: file.id.as_ref().map(|id| id.to_string()),
        path: file.path.value.clone(),
        kind: file.kind.clone(),
        folder: folder.to_owned(),
    };
    declared.iter().map(file).collect()
}
