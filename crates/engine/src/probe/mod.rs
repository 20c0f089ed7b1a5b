//! Looks at a page without changing it: is an element here, is a state of the map current.

use std::time::{Duration, Instant};

use actions_browser::Deadline;
use actions_primitives::{Failure, Found, Locator, Stage, count, page_change};
use actions_protocol::ErrorCode;

use crate::plan::{Probe, StatePlan};

/// Looks at a page until a deadline.
#[derive(Clone, Copy)]
pub(crate) struct Prober<'p> {
    pub(crate) stage: &'p Stage,
    /// The states that the map declares.
    pub(crate) states: &'p [StatePlan],
    pub(crate) deadline: Deadline,
}

/// How a wait for something on the page ended.
#[derive(Debug)]
pub(crate) enum Wait<T> {
    /// It is there.
    Met(T),
    /// It did not come in the time it was given.
    Unmet,
    /// The call ended before that time was over, so that it is open whether it would have come.
    CutShort,
}

impl<'p> Prober<'p> {
    /// Waits until a state is current. A state that the map does not declare never is; one without probes always is.
    pub(crate) async fn wait_for_state(&self, name: &str, patience: Duration) -> Result<Wait<()>, Failure> {
        let Some(state) = self.state(name) else {
            return Ok(if self.is_over() { Wait::CutShort } else { Wait::Unmet });
        };
        let end = self.end(patience);
        loop {
            let seen = self.is_current(state).await.map(|current| current.then_some(()));
            if let Some(over) = self.look_again(seen, end).await? {
                return Ok(over);
            }
        }
    }

    /// Waits until an element is in the document.
    pub(crate) async fn wait_for_element(
        &self,
        locator: &Locator,
        patience: Duration,
    ) -> Result<Wait<Found>, Failure> {
        let end = self.end(patience);
        loop {
            let found = count(self.stage, locator, self.deadline).await;
            let seen = found.map(|found| (found.attached > 0).then_some(found));
            if let Some(over) = self.look_again(seen, end).await? {
                return Ok(over);
            }
        }
    }

    /// The names of the states with probes that are current.
    pub(crate) async fn current_states(&self) -> Result<Vec<String>, Failure> {
        let mut current = Vec::new();
        for state in self.states.iter().filter(|state| !state.probes.is_empty()) {
            if self.is_current(state).await? {
                current.push(state.name.clone());
            }
        }
        Ok(current)
    }

    /// Whether every probe of a state holds, and of the states it builds on.
    pub(crate) async fn is_current(&self, state: &StatePlan) -> Result<bool, Failure> {
        let mut states = vec![state];
        let mut next = 0;
        // States may name each other, so each is looked at once.
        while let Some(state) = states.get(next).copied() {
            next += 1;
            for probe in &state.probes {
                if !self.holds(probe).await? {
                    return Ok(false);
                }
                let Some(named) = &probe.state else { continue };
                let Some(further) = self.state(named) else { return Ok(false) };
                if !states.iter().any(|known| known.name == further.name) {
                    states.push(further);
                }
            }
        }
        Ok(true)
    }

    /// Whether a probe holds, apart from the state it names.
    async fn holds(&self, probe: &Probe) -> Result<bool, Failure> {
        let url = self.stage.page().url();
        if !probe.address.iter().all(|predicate| predicate.holds(&url)) {
            return Ok(false);
        }
        let Some(locator) = &probe.locator else { return Ok(true) };
        let found = count(self.stage, locator, self.deadline).await?;
        let matches = if probe.visible == Some(true) { found.rendered } else { found.attached };
        // A probe with nothing but an upper bound accepts none.
        let needed = probe.max_count.is_none() || probe.exists == Some(true) || probe.visible == Some(true);
        let least = probe.min_count.unwrap_or(u64::from(needed));
        Ok(match (probe.exists, probe.visible) {
            (Some(false), _) => found.attached == 0,
            (_, Some(false)) => found.rendered == 0,
            _ => matches >= least && probe.max_count.is_none_or(|most| matches <= most),
        })
    }

    fn state(&self, name: &str) -> Option<&'p StatePlan> {
        self.states.iter().find(|state| state.name == name)
    }

    /// The end of a wait that begins now.
    fn end(&self, patience: Duration) -> Instant {
        (self.now() + patience).min(self.deadline.at())
    }

    /// How the wait ended, by what was seen at the last look; `None` when the page has changed and there is time to look
    /// again.
    async fn look_again<T>(
        &self,
        seen: Result<Option<T>, Failure>,
        end: Instant,
    ) -> Result<Option<Wait<T>>, Failure> {
        match seen {
            Ok(Some(seen)) => return Ok(Some(Wait::Met(seen))),
            Err(failure) if failure.code != ErrorCode::Timeout || !self.is_over() => return Err(failure),
            // The end of the call may have cut the last look short.
            Ok(None) | Err(_) => {}
        }
        let left = end.saturating_duration_since(self.now());
        if left.is_zero() {
            return Ok(Some(if self.is_over() { Wait::CutShort } else { Wait::Unmet }));
        }
        page_change(self.stage, left, self.deadline).await?;
        Ok(None)
    }

    fn now(&self) -> Instant {
        self.stage.clock().now()
    }

    fn is_over(&self) -> bool {
        self.now() >= self.deadline.at()
    }
}
