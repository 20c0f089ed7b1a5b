//! Looks at a page without changing it: is an element here, is a state of the map current.

mod look;

use std::time::{Duration, Instant};

use actions_browser::Deadline;
use actions_primitives::{Failure, Found, Locator, Stage, count, page_change};
use actions_protocol::ErrorCode;

pub use look::SeenStates;
pub(crate) use look::{Look, Verdict};

use crate::plan::StatePlan;

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
        if self.state(name).is_none() {
            return Ok(if self.is_over() { Wait::CutShort } else { Wait::Unmet });
        }
        self.wait_until(&[name], patience, |look| match look.state(name) {
            Verdict::Current | Verdict::Undiagnosed => Ok(Some(())),
            Verdict::Absent => Ok(None),
            Verdict::Undecided(failure) => Err(failure.clone()),
        })
        .await
    }

    /// Looks at states whenever the page changes, until what is seen is enough.
    pub(crate) async fn wait_until<T, E: From<Failure>>(
        &self,
        names: &[&str],
        patience: Duration,
        mut enough: impl FnMut(&Look) -> Result<Option<T>, E>,
    ) -> Result<Wait<T>, E> {
        let end = self.end(patience);
        loop {
            let seen = match self.look(names.iter().copied(), &[]).await {
                Ok(look) => Ok(enough(&look)?),
                Err(failure) => Err(failure),
            };
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

    /// What is seen of all states that the map declares.
    pub(crate) async fn all_states(&self) -> Result<SeenStates, Failure> {
        let look = self.look(self.states.iter().map(|state| state.name.as_str()), &[]).await?;
        Ok(look.seen(self.states))
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
