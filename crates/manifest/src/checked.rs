//! A manifest that passed validation.

use std::collections::HashMap;

use actions_protocol::SafeName;

use crate::compose::{Composition, Exposed, ExposedKind, Part};
use crate::document::Document;
use crate::model::{Attachment, Check, Context, Manifest, Projection, Signal, State, Tool, Transition};

/// A manifest without errors, together with everything it imports. Only [`crate::validate`] makes one.
#[derive(Debug)]
pub struct CheckedManifest {
    composition: Composition,
    exposed: HashMap<ExposedKind, Vec<(SafeName, usize, usize)>>,
}

macro_rules! exposed {
    ($($(#[doc = $doc:literal])+ $many:ident $one:ident $kind:ident $item:ty, $list:expr;)+) => {$(
        $(#[doc = $doc])+
        pub fn $many(&self) -> impl Iterator<Item = Exposed<'_, $item>> {
            self.entries(ExposedKind::$kind).map(|(name, part, index)| {
                let list: fn(&Manifest) -> &[$item] = $list;
                let part = &self.composition.parts()[*part];
                let manifest = part.manifest().expect("a checked manifest was read");
                Exposed { name: name.clone(), item: &list(manifest)[*index], part }
            })
        }

        /// The one of this name.
        pub fn $one(&self, name: &str) -> Option<Exposed<'_, $item>> {
            self.$many().find(|exposed| exposed.name.as_str() == name)
        }
    )+};
}

impl CheckedManifest {
    pub(crate) fn new(composition: Composition) -> Option<Self> {
        composition.root()?.manifest()?;
        let mut exposed: HashMap<_, Vec<_>> = HashMap::new();
        for claim in composition.settle().0 {
            exposed.entry(claim.kind).or_default().push((claim.name, claim.part, claim.index));
        }
        Some(Self { composition, exposed })
    }

    fn entries(&self, kind: ExposedKind) -> impl Iterator<Item = &(SafeName, usize, usize)> {
        self.exposed.get(&kind).into_iter().flatten()
    }

    /// The map itself, without its imports.
    pub fn root(&self) -> &Manifest {
        self.root_part().manifest().expect("a checked manifest was read")
    }

    /// The text of the map itself.
    pub fn document(&self) -> &Document {
        self.root_part().document()
    }

    /// All maps, the map itself first.
    pub fn parts(&self) -> &[Part] {
        self.composition.parts()
    }

    /// What the map says under `skill`, a key of published maps that version 1 does not know.
    pub fn skill(&self) -> Option<serde_json::Value> {
        self.document().root().get("skill").map(crate::document::Node::to_value)
    }

    /// The map itself, without the maps it imports.
    pub fn root_part(&self) -> &Part {
        self.composition.root().expect("a checked manifest has a root")
    }

    exposed! {
        /// The tools, imported ones included.
        tools tool Tool Tool, |manifest| &manifest.tools;
        /// The states, imported ones included.
        states state State State, |manifest| manifest.states();
        /// The transitions, imported ones included.
        transitions transition Transition Transition, |manifest| &manifest.transitions;
        /// The context blocks, imported ones included.
        contexts context Context Context, |manifest| &manifest.context;
        /// The state projections, imported ones included.
        projections projection Projection Projection, |manifest| &manifest.state_projections;
        /// The signals, imported ones included.
        signals signal Signal Signal, |manifest| &manifest.signals;
        /// The attachments, imported ones included.
        attachments attachment Attachment Attachment, |manifest| &manifest.attachments;
        /// The checks, imported ones included.
        checks check Check Check, |manifest| &manifest.checks;
    }
}
