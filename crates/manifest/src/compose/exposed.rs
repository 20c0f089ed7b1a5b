//! Which names a composition exposes, and how conflicts are settled.

use std::collections::HashMap;

use actions_protocol::SafeName;

use super::{Composition, Part};
use crate::document::NodeId;
use crate::model::{ConflictPolicy, Located};

/// The kinds of things a map exposes by name; each kind has its own names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExposedKind {
    /// A tool.
    Tool,
    /// A state.
    State,
    /// A transition.
    Transition,
    /// A context block.
    Context,
    /// A state projection.
    Projection,
    /// A signal.
    Signal,
    /// An attachment.
    Attachment,
    /// A check.
    Check,
}

impl ExposedKind {
    /// The word for sentences.
    pub fn noun(self) -> &'static str {
        match self {
            ExposedKind::Tool => "tool",
            ExposedKind::State => "state",
            ExposedKind::Transition => "transition",
            ExposedKind::Context => "context block",
            ExposedKind::Projection => "state projection",
            ExposedKind::Signal => "signal",
            ExposedKind::Attachment => "attachment",
            ExposedKind::Check => "check",
        }
    }
}

/// Something a composition exposes under a name.
#[derive(Clone, Debug)]
pub struct Exposed<'c, T> {
    /// The name, with the namespace of its map.
    pub name: SafeName,
    /// What it is.
    pub item: &'c T,
    /// The map it comes from.
    pub part: &'c Part,
}

/// A name before anything is decided about it.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) kind: ExposedKind,
    pub(crate) name: SafeName,
    pub(crate) part: usize,
    pub(crate) index: usize,
    pub(crate) at: NodeId,
}

impl Composition {
    /// Every name every part would like to expose.
    pub(crate) fn claims(&self) -> Vec<Claim> {
        let mut claims = Vec::new();
        for (number, part) in self.parts().iter().enumerate() {
            let Some(manifest) = part.manifest() else { continue };
            let mut claim = |kind, index, name: &Located<SafeName>| {
                let at = name.at;
                claims.push(Claim { kind, name: part.exposed_name(&name.value), part: number, index, at });
            };
            manifest.tools.iter().enumerate().for_each(|(i, t)| claim(ExposedKind::Tool, i, &t.name));
            manifest.states().iter().enumerate().for_each(|(i, s)| claim(ExposedKind::State, i, &s.name));
            manifest
                .transitions
                .iter()
                .enumerate()
                .for_each(|(i, t)| claim(ExposedKind::Transition, i, &t.name));
            manifest.context.iter().enumerate().for_each(|(i, c)| claim(ExposedKind::Context, i, &c.id));
            manifest
                .state_projections
                .iter()
                .enumerate()
                .for_each(|(i, p)| claim(ExposedKind::Projection, i, &p.name));
            manifest.signals.iter().enumerate().for_each(|(i, s)| claim(ExposedKind::Signal, i, &s.name));
            manifest
                .attachments
                .iter()
                .enumerate()
                .for_each(|(i, a)| claim(ExposedKind::Attachment, i, &a.id));
            manifest.checks.iter().enumerate().for_each(|(i, c)| claim(ExposedKind::Check, i, &c.id));
        }
        claims
    }

    /// The names that are exposed after the map's policy has settled conflicts. Each name that was left out comes with
    /// the one that was kept instead.
    pub(crate) fn settle(&self) -> (Vec<Claim>, Vec<(Claim, Claim)>) {
        let mut kept: Vec<Claim> = Vec::new();
        let mut by_name: HashMap<(ExposedKind, SafeName), usize> = HashMap::new();
        let mut left_out = Vec::new();
        for claim in self.claims() {
            let key = (claim.kind, claim.name.clone());
            match by_name.get(&key).copied() {
                None => {
                    by_name.insert(key, kept.len());
                    kept.push(claim);
                }
                Some(rival) if self.prefers_imported() && kept[rival].part != claim.part => {
                    left_out.push((std::mem::replace(&mut kept[rival], claim.clone()), claim));
                }
                Some(rival) => left_out.push((claim, kept[rival].clone())),
            }
        }
        (kept, left_out)
    }

    /// How the map settles conflicts; an error unless it says otherwise.
    pub(crate) fn conflict_policy(&self) -> ConflictPolicy {
        self.root()
            .and_then(Part::manifest)
            .and_then(|manifest| manifest.composition.as_ref())
            .and_then(|composition| composition.default_conflict_policy)
            .unwrap_or(ConflictPolicy::Error)
    }

    fn prefers_imported(&self) -> bool {
        self.conflict_policy() == ConflictPolicy::PreferImported
    }
}
