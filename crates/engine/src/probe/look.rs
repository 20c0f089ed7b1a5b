//! Looks at states and targets of a map all at one moment of the page, in one round trip.

use std::collections::BTreeMap;

use actions_primitives::{Failure, Locator, Tally, tally};
use serde::Serialize;

use super::Prober;
use crate::plan::{Probe, StatePlan};

/// What a look found out about a state or a probe.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    /// Everything it asks for holds.
    Current,
    /// Something it asks for does not hold.
    Absent,
    /// The map does not say how to recognise it.
    Undiagnosed,
    /// The page could not decide.
    Undecided(Failure),
}

/// The states of a page at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SeenStates {
    /// The address of the page.
    pub url: String,
    /// The states that are current, in the order of the map.
    pub current: Vec<String>,
    /// The states of which nothing is known: the map does not say how to recognise them, or the page could not decide.
    pub unknown: Vec<String>,
}

/// What was seen at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) url: String,
    states: BTreeMap<String, Verdict>,
    probes: Vec<Verdict>,
}

impl Look {
    /// What was seen of a state. A state that the map does not declare is absent.
    pub(crate) fn state(&self, name: &str) -> &Verdict {
        self.states.get(name).unwrap_or(&Verdict::Absent)
    }

    pub(crate) fn is_current(&self, name: &str) -> bool {
        matches!(self.state(name), Verdict::Current)
    }

    /// Whether it is open whether the state is current.
    pub(crate) fn is_unknown(&self, name: &str) -> bool {
        matches!(self.state(name), Verdict::Undiagnosed | Verdict::Undecided(_))
    }

    /// What was seen of the probe that was asked for at this place.
    pub(crate) fn probe(&self, index: usize) -> &Verdict {
        self.probes.get(index).unwrap_or(&Verdict::Absent)
    }

    /// The states that were looked at, in the order of the map.
    pub(crate) fn seen(&self, states: &[StatePlan]) -> SeenStates {
        let those = |keep: fn(&Self, &str) -> bool| {
            let names = states.iter().filter(|state| self.states.contains_key(&state.name));
            names.map(|state| state.name.clone()).filter(|name| keep(self, name)).collect()
        };
        SeenStates {
            url: self.url.clone(),
            current: those(Self::is_current),
            unknown: those(Self::is_unknown),
        }
    }
}

impl<'p> Prober<'p> {
    /// Looks at these states and probes. What the address of the page decides takes no round trip; everything else
    /// takes one together.
    pub(crate) async fn look<'n>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
        probes: &[&Probe],
    ) -> Result<Look, Failure> {
        let url = self.stage.page().url();
        let wanted: Vec<&StatePlan> = names.into_iter().filter_map(|name| self.state(name)).collect();
        let built_on = wanted.iter().flat_map(|state| self.with_foundations(&state.probes));
        let asked: Vec<&Probe> =
            built_on.chain(probes.iter().flat_map(|probe| self.with_foundations([*probe]))).collect();
        let mut locators: Vec<&Locator> = Vec::new();
        for probe in asked.into_iter().filter(|probe| probe.is_at(&url)) {
            if let Some(locator) = probe.locator.as_ref().filter(|locator| !locators.contains(locator)) {
                locators.push(locator);
            }
        }
        let counts = match locators.is_empty() {
            true => Vec::new(),
            false => tally(self.stage, &locators, self.deadline).await?,
        };
        let counted = Counted { url: &url, locators: &locators, counts: &counts };
        let states = wanted.iter().map(|state| {
            let verdict = match state.probes.is_empty() {
                true if self.stage.is_signalled(&state.name) => Verdict::Current,
                true => Verdict::Undiagnosed,
                false => self.verdict(&state.probes, &counted),
            };
            (state.name.clone(), verdict)
        });
        let states = states.collect();
        let probes = probes.iter().map(|probe| self.verdict([*probe], &counted)).collect();
        Ok(Look { url, states, probes })
    }

    /// Probes, and those of the states they build on.
    fn with_foundations<'q>(&self, probes: impl IntoIterator<Item = &'q Probe>) -> Vec<&'q Probe>
    where
        'p: 'q,
    {
        let mut found: Vec<&'q Probe> = probes.into_iter().collect();
        let mut known: Vec<&str> = Vec::new();
        let mut next = 0;
        // States may name each other, so each is followed once.
        while let Some(probe) = found.get(next).copied() {
            next += 1;
            let Some(named) = probe.state.as_deref().filter(|name| !known.contains(name)) else { continue };
            known.push(named);
            found.extend(self.state(named).into_iter().flat_map(|state| &state.probes));
        }
        found
    }

    /// Whether all of these probes hold, and those of the states they build on.
    fn verdict<'q>(&self, probes: impl IntoIterator<Item = &'q Probe>, counted: &Counted<'_>) -> Verdict
    where
        'p: 'q,
    {
        let mut undecided = None;
        for probe in self.with_foundations(probes) {
            let is_founded = probe.state.as_deref().is_none_or(|named| self.state(named).is_some());
            match counted.holds(probe) {
                Ok(true) if is_founded => {}
                Ok(_) => return Verdict::Absent,
                Err(failure) => undecided = Some(failure.clone()),
            }
        }
        undecided.map_or(Verdict::Current, Verdict::Undecided)
    }
}

/// What the page answered.
struct Counted<'c> {
    url: &'c str,
    locators: &'c [&'c Locator],
    counts: &'c [Result<Tally, Failure>],
}

impl Counted<'_> {
    /// Whether a probe holds, apart from the state it names.
    fn holds(&self, probe: &Probe) -> Result<bool, &Failure> {
        if !probe.is_at(self.url) {
            return Ok(false);
        }
        let Some(locator) = &probe.locator else { return Ok(true) };
        let place = self.locators.iter().position(|one| *one == locator);
        match place.and_then(|place| self.counts.get(place)) {
            Some(Ok(found)) => Ok(probe.accepts(*found)),
            Some(Err(failure)) => Err(failure),
            None => Ok(false),
        }
    }
}

impl Probe {
    /// Whether it applies to a page of this address.
    fn is_at(&self, url: &str) -> bool {
        self.address.iter().all(|predicate| predicate.holds(url))
    }

    fn accepts(&self, found: Tally) -> bool {
        let matches = if self.visible == Some(true) { found.rendered } else { found.attached };
        // A probe with nothing but an upper bound accepts none.
        let needed = self.max_count.is_none() || self.exists == Some(true) || self.visible == Some(true);
        let least = self.min_count.unwrap_or(u64::from(needed));
        match (self.exists, self.visible) {
            (Some(false), _) => found.attached == 0,
            (_, Some(false)) => found.rendered == 0,
            _ => matches >= least && self.max_count.is_none_or(|most| matches <= most),
        }
    }
}
