//! The maps of a session, in order of precedence.

use std::collections::BTreeSet;
use std::sync::{PoisonError, RwLock};

use actions_engine::{CallError, Engine, ErrorCode, Session};

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
        let all = self.all();
        let having: Vec<_> =
            all.iter().filter(|map| map.session.map().manifest().tool(tool).is_some()).collect();
        let applies = |map: &&&MapOnPages| {
            map.session.map().manifest().tool(tool).is_some_and(|tool| tool.applies_to(url))
        };
        let found = having.iter().find(applies).or(having.first());
        found.map(|map| map.session.clone()).ok_or_else(|| {
            let names = all.iter().flat_map(|map| map.session.map().tools());
            let names: BTreeSet<String> = names.collect();
            let message = format!("no map of the session has a tool `{tool}`");
            CallError::new(ErrorCode::UnknownAction, message)
                .with_evidence("tools", names.into_iter().collect::<Vec<_>>())
        })
    }

    /// The view for a projection, chosen like that for a tool.
    pub(crate) fn for_projection(&self, projection: &str, url: &str) -> Result<Session, CallError> {
        let all = self.all();
        let having: Vec<_> =
            all.iter().filter(|map| map.session.map().manifest().projection(projection).is_some()).collect();
        let applies = |map: &&&MapOnPages| {
            map.session
                .map()
                .manifest()
                .projection(projection)
                .is_some_and(|projection| projection.applies_to(url))
        };
        let found = having.iter().find(applies).or(having.first());
        found.map(|map| map.session.clone()).ok_or_else(|| {
            let names = all.iter().flat_map(|map| {
                map.session
                    .map()
                    .manifest()
                    .projections()
                    .map(|known| known.name.to_string())
                    .collect::<Vec<_>>()
            });
            let names: BTreeSet<String> = names.collect();
            let message = format!("no map of the session has a projection `{projection}`");
            CallError::new(ErrorCode::StateProjectionNotFound, message)
                .with_evidence("projections", names.into_iter().collect::<Vec<_>>())
        })
    }

    fn all(&self) -> Vec<MapOnPages> {
        self.maps.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
