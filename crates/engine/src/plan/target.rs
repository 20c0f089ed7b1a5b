//! Plans where a tool applies: the address, the state and the element it needs.

use actions_manifest::model::{self, UrlPatterns};
use actions_manifest::{CheckedManifest, url_matches};
use actions_primitives::Locator;
use serde_json::{Map, Value, json};

use super::Planner;
use crate::failure::Place;
use crate::limits::Limits;

/// Where a tool applies.
#[derive(Debug)]
pub(crate) struct Target {
    /// The element, as a locator; absent when the target is only about the page.
    pub(crate) locator: Option<Locator>,
    /// What the address must be.
    pub(crate) address: Vec<Predicate>,
    /// The state the page must be in.
    pub(crate) state: Option<String>,
    /// Where it stands in the map.
    pub(crate) place: Place,
}

/// Something that must be true of the page's address.
#[derive(Clone, Debug)]
pub(crate) enum Predicate {
    Contains(String),
    Matches(Vec<String>),
}

impl Predicate {
    pub(crate) fn holds(&self, url: &str) -> bool {
        match self {
            Self::Contains(part) => url.contains(part.as_str()),
            Self::Matches(patterns) => patterns.iter().any(|pattern| url_matches(pattern, url)),
        }
    }
}

impl std::fmt::Display for Predicate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Contains(part) => write!(f, "contain `{part}`"),
            Self::Matches(patterns) => write!(f, "match `{}`", patterns.join("` or `")),
        }
    }
}

fn address(contains: Option<&String>, matches: Option<&UrlPatterns>) -> Vec<Predicate> {
    let contains = contains.cloned().map(Predicate::Contains);
    let matches = matches
        .filter(|patterns| !patterns.0.is_empty())
        .map(|patterns| Predicate::Matches(patterns.0.iter().map(|p| p.value.clone()).collect()));
    contains.into_iter().chain(matches).collect()
}

impl Target {
    pub(super) fn plan(planner: &Planner<'_>, target: &model::Target) -> Self {
        Self {
            locator: target_locator(target),
            address: address(target.url_contains.as_ref(), target.url_matches.as_ref()),
            state: target.state.as_ref().map(|state| planner.exposed_name(&state.value)),
            place: planner.place(target.at, target.at),
        }
    }
}

impl Target {
    /// What the target of a step says of the page; the element itself is an argument of its primitive.
    pub(super) fn of_step(planner: &Planner<'_>, target: &model::Target) -> Option<Self> {
        let of_page = Self { locator: None, ..Self::plan(planner, target) };
        (!of_page.address.is_empty() || of_page.state.is_some()).then_some(of_page)
    }
}

/// A target descriptor as a locator. Beside a selector, role and name corroborate; without one they identify.
pub(crate) fn locator(target: &model::Target) -> Value {
    let mut keys = Map::new();
    let mut put = |key: &str, value: Option<Value>| keys.extend(value.map(|value| (key.to_owned(), value)));
    put("selector", target.selector.as_ref().map(|selector| json!(selector.value)));
    put(
        "selectors",
        target.selectors.as_ref().map(|many| many.0.iter().map(|one| json!(one.value)).collect()),
    );
    put(
        "fallback_selectors",
        target.fallback_selectors.as_ref().map(|many| many.0.iter().map(|one| json!(one.value)).collect()),
    );
    put("role", target.role.as_ref().map(|role| json!(role.value)));
    put("name", target.name.as_ref().map(|name| json!(name)));
    put("text_equals", target.text_equals.as_ref().map(|text| json!(text)));
    put("text_contains", target.text_contains.as_ref().map(|text| json!(text)));
    put("text_matches", target.text_matches.as_ref().map(|pattern| json!(pattern)));
    put("name_matches", target.name_matches.as_ref().map(|pattern| json!(pattern)));
    put("ignore_case", target.ignore_case.map(Value::Bool));
    put("states", target.states.as_ref().map(states));
    put("has", target.has.as_deref().map(locator));
    put("not", target.not.as_deref().map(locator));
    put("nth", target.nth.map(|nth| json!(nth.0)));
    Value::Object(keys)
}

fn states(states: &model::ElementStates) -> Value {
    let flags = [
        ("checked", states.checked),
        ("disabled", states.disabled),
        ("expanded", states.expanded),
        ("pressed", states.pressed),
        ("selected", states.selected),
    ];
    let flags = flags.into_iter().filter_map(|(key, flag)| Some((key.to_owned(), Value::Bool(flag?))));
    let level = states.level.map(|level| ("level".to_owned(), json!(level.0)));
    Value::Object(flags.chain(level).collect())
}

/// The element that a target means; `None` when it is only about the page.
pub fn target_locator(target: &model::Target) -> Option<Locator> {
    let keys = locator(target);
    keys.as_object().is_some_and(|keys| !keys.is_empty()).then(|| keys.into())
}

/// A state and the probes that tell whether it is current.
#[derive(Debug)]
pub(crate) struct StatePlan {
    pub(crate) name: String,
    pub(crate) probes: Vec<Probe>,
}

/// One probe: an element in some number and condition, and the page's address.
#[derive(Debug)]
pub(crate) struct Probe {
    pub(crate) locator: Option<Locator>,
    pub(crate) visible: Option<bool>,
    pub(crate) exists: Option<bool>,
    pub(crate) min_count: Option<u64>,
    pub(crate) max_count: Option<u64>,
    pub(crate) address: Vec<Predicate>,
    /// Another state that must be current.
    pub(crate) state: Option<String>,
}

impl Probe {
    /// A target as a probe: the element must be there, on the right page and in the right state.
    pub(crate) fn of_target(planner: &Planner<'_>, target: &model::Target) -> Self {
        let Target { locator, address, state, .. } = Target::plan(planner, target);
        Self { locator, visible: None, exists: None, min_count: None, max_count: None, address, state }
    }
}

impl StatePlan {
    /// Every state of a composition.
    pub(crate) fn all(manifest: &CheckedManifest, limits: &Limits) -> Vec<Self> {
        let states = manifest.states();
        states
            .map(|state| {
                let planner = Planner { manifest, limits, part: state.part };
                Self::plan(&planner, state.name.as_str(), state.item)
            })
            .collect()
    }

    fn plan(planner: &Planner<'_>, name: &str, state: &model::State) -> Self {
        let probes = state.diagnostics.iter().map(|diagnostic| {
            let target = diagnostic.target.as_ref();
            let mut address = address(diagnostic.url_contains.as_ref(), diagnostic.url_matches.as_ref());
            address.extend(
                target
                    .into_iter()
                    .flat_map(|t| self::address(t.url_contains.as_ref(), t.url_matches.as_ref())),
            );
            Probe {
                locator: target.and_then(target_locator),
                visible: diagnostic.visible,
                exists: diagnostic.exists,
                min_count: diagnostic.min_count.map(|count| count.0),
                max_count: diagnostic.max_count.map(|count| count.0),
                address,
                state: target
                    .and_then(|target| target.state.as_ref())
                    .map(|state| planner.exposed_name(&state.value)),
            }
        });
        Self { name: name.to_owned(), probes: probes.collect() }
    }
}
