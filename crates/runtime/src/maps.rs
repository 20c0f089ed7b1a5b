//! The maps of a session, in order of precedence.

use std::collections::BTreeSet;
use std::sync::{PoisonError, RwLock};

use actions_engine::{CallError, CheckedManifest, Engine, ErrorCode, Session};

/// A map as it is loaded now.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MapVersion {
    /// The file it was read from, or another name that is unique in its session.
    pub name: String,
    /// The map with its limits and policy.
    pub engine: Engine,
}

impl MapVersion {
    /// A map under a name, such as the path of its file.
    pub fn named(name: impl Into<String>, engine: Engine) -> Self {
        Self { name: name.into(), engine }
    }

    /// A map under its own name.
    pub fn of(engine: Engine) -> Self {
        let name = engine.manifest().root_part().document().source().name().to_owned();
        Self { name, engine }
    }
}

/// A map on the pages of a session.
#[derive(Clone)]
struct MapOnPages {
    name: String,
    session: Session,
}

/// The maps of a session, in order of precedence.
pub(crate) struct Maps {
    maps: RwLock<Vec<MapOnPages>>,
    /// A view of the pages that outlives every map.
    pages: Session,
}

impl Maps {
    /// The maps on the pages that the first of them opened.
    pub(crate) fn new(first: Session, versions: &[MapVersion]) -> Self {
        let maps = versions.iter().map(|version| MapOnPages {
            name: version.name.clone(),
            session: first.with_map(version.engine.clone()),
        });
        Self { maps: RwLock::new(maps.collect()), pages: first }
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.all().into_iter().map(|map| map.name).collect()
    }

    /// The maps as they are now, in order of precedence.
    pub(crate) fn sessions(&self) -> Vec<Session> {
        self.all().into_iter().map(|map| map.session).collect()
    }

    /// A view of the pages, under the map with the highest precedence.
    pub(crate) fn pages(&self) -> Session {
        self.all().into_iter().next().map_or_else(|| self.pages.clone(), |map| map.session)
    }

    /// Uses other maps from now on. Calls that run keep the version they began with.
    pub(crate) fn replace(&self, versions: &[MapVersion]) {
        let maps = versions.iter().map(|version| MapOnPages {
            name: version.name.clone(),
            session: self.pages.with_map(version.engine.clone()),
        });
        *self.maps.write().unwrap_or_else(PoisonError::into_inner) = maps.collect();
    }

    /// The view for a tool: of the map with the highest precedence that has it and whose tool applies to the page, or else
    /// of the first map that has it.
    pub(crate) fn for_tool(&self, tool: &str, url: &str) -> Result<Session, CallError> {
        let found = self.best(|map| map.tool(tool).map(|tool| tool.applies_to(url)));
        found.ok_or_else(|| {
            let names = self.declared(|map| map.tools().map(|known| known.name.to_string()).collect());
            let message = format!("no map of the session has a tool `{tool}`");
            CallError::new(ErrorCode::UnknownAction, message).with_evidence("tools", names)
        })
    }

    /// The view for a projection, chosen like that for a tool.
    pub(crate) fn for_projection(&self, projection: &str, url: &str) -> Result<Session, CallError> {
        let found = self.best(|map| map.projection(projection).map(|known| known.applies_to(url)));
        found.ok_or_else(|| {
            let names = self.declared(|map| map.projections().map(|known| known.name.to_string()).collect());
            let message = format!("no map of the session has a projection `{projection}`");
            CallError::new(ErrorCode::StateProjectionNotFound, message).with_evidence("projections", names)
        })
    }

    /// The first map whose part applies to the page, or else the first map that has the part. `applies` is `None` for a
    /// map that does not have it.
    fn best(&self, applies: impl Fn(&CheckedManifest) -> Option<bool>) -> Option<Session> {
        let mut having: Vec<(bool, MapOnPages)> = Vec::new();
        for map in self.all() {
            having.extend(applies(map.session.map().manifest()).map(|applies| (applies, map)));
        }
        let at = having.iter().position(|(applies, _)| *applies).unwrap_or(0);
        having.into_iter().nth(at).map(|(_, map)| map.session)
    }

    /// The names that the maps declare, each once, in order.
    fn declared(&self, names: impl Fn(&CheckedManifest) -> Vec<String>) -> Vec<String> {
        let all: BTreeSet<String> =
            self.all().iter().flat_map(|map| names(map.session.map().manifest())).collect();
        all.into_iter().collect()
    }

    fn all(&self) -> Vec<MapOnPages> {
        self.maps.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
