//! Which pages are looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use actions_engine::Effect;
use actions_engine::browser::Archive;
use serde_json::json;

use super::{Checker, Known, Source};
use crate::assertion::Check;
use crate::recording::Recording;
use crate::visit::Stop;

/// The most pages of one map that are looked at.
pub(super) const MAX_STOPS: usize = 60;
/// The most tools that are called one after the other to reach a state.
const MAX_TOOLS: usize = 3;
/// The most pages on which one tool is tried.
const MAX_TRIES: usize = 2;

/// What was reached through tools.
#[derive(Debug, Default)]
pub(super) struct Reached {
    states: BTreeSet<String>,
    tries: BTreeMap<String, usize>,
}

impl Checker<'_> {
    /// The pages to look at: where calls start, where checks are made, and what was recorded.
    pub(super) fn stops(&self, known: &Known<'_>) -> Vec<Stop> {
        let start = self.start.clone().or_else(|| self.engine.start_url());
        let mut stops: Vec<Stop> = Vec::new();
        let mut add = |url: String, archive: Option<Arc<Archive>>, is_start: bool, check: Option<usize>| {
            let same = stops.iter_mut().find(|stop| same_page(&stop.url, &url));
            if let Some(stop) = same {
                stop.checks.extend(check);
                stop.is_start |= is_start;
            } else if stops.len() < MAX_STOPS {
                let checks = check.into_iter().collect();
                stops.push(Stop { url, archive, tools: Vec::new(), checks, is_start });
            }
        };
        let archive_of = |url: &str| match self.source {
            Source::Live => None,
            Source::Recorded(recordings) => {
                let holds = |recording: &&Recording| recording.pages.iter().any(|page| same_page(page, url));
                let holding = recordings.iter().find(holds).or(recordings.first());
                holding.map(|recording| Arc::clone(&recording.archive))
            }
        };
        if let Some(start) = &start {
            add(start.clone(), archive_of(start), true, None);
        }
        let wanted = |check: &Check<'_>| self.only.is_none_or(|only| only == check.id);
        let only_declared = self.only.is_some() && known.checks.iter().any(wanted);
        for (number, check) in known.checks.iter().enumerate().filter(|(_, check)| wanted(check)) {
            let url = check.item.url.as_ref().map(|url| absolute(&url.value, known.origin.as_deref()));
            if let Some(url) = url.or_else(|| start.clone()) {
                let archive = archive_of(&url);
                add(url, archive, false, Some(number));
            }
        }
        if only_declared {
            stops.retain(|stop| !stop.checks.is_empty());
            return stops;
        }
        if let Source::Recorded(recordings) = self.source {
            for Recording { archive, pages } in recordings {
                for page in pages {
                    add(page.clone(), Some(Arc::clone(archive)), false, None);
                }
            }
        }
        for url in &self.also {
            add(url.clone(), archive_of(url), false, None);
        }
        stops
    }

    /// The pages that transitions lead to from here, through tools that change nothing and take no arguments. A tool is
    /// called only as long as it leads to states that were not reached yet, and from a few pages at most.
    pub(super) fn led_to(
        &self,
        stop: &Stop,
        url: &str,
        states: &[String],
        reached: &mut Reached,
    ) -> Vec<Stop> {
        let mut led: Vec<Stop> = Vec::new();
        reached.states.extend(states.iter().cloned());
        if stop.tools.len() >= MAX_TOOLS {
            return led;
        }
        for transition in &self.engine.manifest().root().transitions {
            let Some(tool) = transition.tool.as_ref().map(|tool| tool.value.clone()) else { continue };
            let starts_here = transition.from.0.iter().any(|state| states.contains(&state.value.to_string()));
            let leads_on =
                transition.to.0.iter().any(|state| !reached.states.contains(&state.value.to_string()));
            let is_known = led.iter().any(|stop| stop.tools.last() == Some(&tool));
            let tries = reached.tries.get(&tool).copied().unwrap_or(0);
            if !starts_here || !leads_on || is_known || tries >= MAX_TRIES || !self.is_harmless(&tool) {
                continue;
            }
            reached.tries.insert(tool.clone(), tries + 1);
            let begins = if stop.tools.is_empty() { url } else { stop.url.as_str() };
            led.push(Stop {
                url: begins.to_owned(),
                archive: stop.archive.clone(),
                tools: stop.tools.iter().cloned().chain([tool]).collect(),
                checks: Vec::new(),
                is_start: false,
            });
        }
        led
    }

    /// Whether a tool changes nothing and can be called without arguments.
    fn is_harmless(&self, tool: &str) -> bool {
        self.engine.plan(tool).is_ok_and(|plan| {
            plan.effect() == Effect::Read && plan.can_perform().is_ok() && plan.accept(json!({})).is_ok()
        })
    }
}

/// Whether two addresses are those of one page: a fragment makes no other page, and neither does a missing path.
fn same_page(one: &str, other: &str) -> bool {
    let page = |url: &str| url.split('#').next().unwrap_or(url).trim_end_matches('/').to_owned();
    page(one) == page(other)
}

/// The address of a check, which may be relative to the origin of the map.
fn absolute(url: &str, origin: Option<&str>) -> String {
    match origin.filter(|_| url.starts_with('/')) {
        Some(origin) => format!("{origin}{url}"),
        None => url.to_owned(),
    }
}
