//! How a session is opened.

use std::sync::Arc;

use actions_engine::browser::ContextOptions;
use actions_engine::{Engine, Host};

use crate::admission::Admission;
use crate::maps::MapVersion;

/// How a session is opened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OpenSession {
    /// Its name: ASCII letters, digits, `-`, `_` and `.`, at most 64 characters, unique in the runtime.
    pub name: String,
    /// Its maps, in order of precedence. The first one decides where the session starts.
    pub maps: Vec<MapVersion>,
    /// The page it starts on, instead of the start page of the first map.
    pub url: Option<String>,
    /// The browser context: storage state, viewport, locale, recordings. The runtime sets its confinement by the maps.
    pub context: ContextOptions,
    /// What the program around the runtime offers to primitives.
    pub host: Option<Arc<dyn Host>>,
    /// Who decides which clients may call what; every client may call everything if absent.
    pub admission: Option<Arc<dyn Admission>>,
}

impl OpenSession {
    /// A session without maps.
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            maps: Vec::new(),
            url: None,
            context: ContextOptions::default(),
            host: None,
            admission: None,
        }
    }

    /// Adds a map, after those that were added before.
    #[must_use]
    pub fn map(self, engine: Engine) -> Self {
        self.map_version(MapVersion::of(engine))
    }

    /// Adds a map under a name of its own.
    #[must_use]
    pub fn map_version(mut self, map: MapVersion) -> Self {
        self.maps.push(map);
        self
    }

    /// Sets the start page.
    #[must_use]
    pub fn url(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }

    /// Sets what the program around the runtime offers to primitives.
    #[must_use]
    pub fn host(mut self, host: Arc<dyn Host>) -> Self {
        self.host = Some(host);
        self
    }

    /// Sets who decides which clients may call what.
    #[must_use]
    pub fn admission(mut self, admission: Option<Arc<dyn Admission>>) -> Self {
        self.admission = admission;
        self
    }

    /// Sets the options of the browser context.
    #[must_use]
    pub fn context(mut self, context: ContextOptions) -> Self {
        self.context = context;
        self
    }
}
