//! Checks one map: decides which pages to look at, looks at them, and judges what was seen.

mod blank;
mod declared;
mod evidence;
mod judge;
mod remember;
mod said;
mod stops;
mod target;
mod work;

use std::collections::BTreeMap;
use std::time::Duration;

use actions_engine::browser::{Browser, ContextOptions, Locale, Steady, StorageState, Tolerance};
use actions_engine::{Effect, Engine};

use crate::assertion::{Check, checks};
use crate::lock::Lock;
use crate::recording::Recording;
use crate::result::CheckResult;
use crate::target::{Target, targets};
use stops::{MAX_STOPS, Reached};
use work::Work;

/// How maps are checked.
#[derive(Clone, Debug)]
pub struct Options {
    /// How long what should be on a page may take to come after its document.
    pub patience: Duration,
    /// How often a page is looked at again before a failure is reported.
    pub confirm: u32,
    /// What every page opens with beside the rest.
    pub context: ContextOptions,
    /// Cookies and storage of every page.
    pub identity: Option<StorageState>,
    /// Whether pictures are taken.
    pub pictures: bool,
    /// Whether a new lock is made. Every page is then looked at twice: what differs between two looks is not locked.
    pub update_lock: bool,
    /// The clock and the random numbers of pages; those of the machine if absent.
    pub steady: Option<Steady>,
    /// The language and time zone of pages; those of the machine if empty.
    pub locale: Locale,
    /// What is left out when requests are compared with a recording.
    pub tolerance: Tolerance,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            patience: Duration::from_secs(3),
            confirm: 0,
            context: ContextOptions::default(),
            identity: None,
            pictures: false,
            update_lock: false,
            steady: None,
            locale: Locale::default(),
            tolerance: Tolerance::default(),
        }
    }
}

/// Where pages come from.
#[derive(Clone, Debug, Default)]
pub enum Source {
    /// The site itself. The pages are those that recordings of the map name, if there are any.
    #[default]
    Live,
    /// Recordings.
    Recorded(Vec<Recording>),
}

/// Checks one map.
pub struct Checker<'c> {
    /// The browser. Contexts are opened in it and closed again.
    pub browser: &'c dyn Browser,
    /// The map.
    pub engine: &'c Engine,
    /// What the map is called in results.
    pub name: String,
    /// What is known of its targets.
    pub lock: &'c Lock,
    /// Where pages come from.
    pub source: &'c Source,
    /// The page that calls start on, instead of the one that the map names.
    pub start: Option<String>,
    /// Addresses that are looked at besides, as far as the map may go there.
    pub also: Vec<String>,
    /// The only check that is made: the id of a declared one, or the JSON pointer of a target.
    pub only: Option<&'c str>,
    /// How it is checked.
    pub options: &'c Options,
}

/// What a check of one map gave.
#[derive(Debug)]
pub struct Checked {
    /// The results, declared checks first.
    pub results: Vec<CheckResult>,
    /// The lock after this look, if one was asked for.
    pub lock: Option<Lock>,
    /// Pictures of the pages, by their addresses.
    pub pictures: BTreeMap<String, Vec<u8>>,
}

/// What is known about one map while it is checked.
struct Known<'k> {
    targets: Vec<Target>,
    checks: Vec<Check<'k>>,
    origin: Option<String>,
    login: Option<String>,
}

impl Checker<'_> {
    /// Checks the map. It always gives results: what goes wrong is one of them.
    pub async fn check(&self) -> Checked {
        let manifest = self.engine.manifest();
        let changes = |tool: &str| self.engine.plan(tool).is_ok_and(|plan| plan.effect() != Effect::Read);
        let root = manifest.root();
        let surface = root.surface();
        let known = Known {
            targets: targets(manifest, changes),
            checks: checks(manifest),
            origin: surface.and_then(|surface| surface.origin.as_ref()).map(|origin| origin.value.clone()),
            login: root
                .x_actions
                .as_ref()
                .and_then(|actions| actions.login_state.as_ref())
                .map(|state| state.value.clone()),
        };
        let mut work = Work::new(self, &known);
        let mut stops = self.stops(&known);
        let mut reached = Reached::default();
        let mut next = 0;
        while let Some(stop) = stops.get(next).cloned() {
            next += 1;
            let (url, states) = work.visit(&stop).await;
            let is_done = self.only.is_some_and(|only| known.checks.iter().any(|check| check.id == only));
            let led = match is_done {
                true => Vec::new(),
                false => self.led_to(&stop, &url, &states, &mut reached),
            };
            stops.extend(led.into_iter().take(MAX_STOPS.saturating_sub(stops.len())));
        }
        work.finish()
    }
}
