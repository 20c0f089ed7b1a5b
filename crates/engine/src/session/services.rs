//! The services that a session of a map offers to primitives.

use std::path::Path;
use std::sync::Arc;

use actions_manifest::{CheckedManifest, Part};
use actions_primitives::{MapFile, Memory, Services, Tabs};

use super::pages::Pages;

/// What a session remembers, its tabs, and the files of one map.
pub(super) struct MapServices {
    pages: Arc<Pages>,
    manifest: Arc<CheckedManifest>,
}

impl MapServices {
    pub(super) fn new(manifest: Arc<CheckedManifest>, pages: Arc<Pages>) -> Self {
        Self { pages, manifest }
    }
}

impl Services for MapServices {
    fn memory(&self) -> &Memory {
        self.pages.memory()
    }

    fn files(&self) -> Vec<MapFile> {
        self.manifest.parts().iter().flat_map(files).collect()
    }

    fn tabs(&self) -> Option<&dyn Tabs> {
        Some(&*self.pages)
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
