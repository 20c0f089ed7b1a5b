//! Reads the state of the current page through projections of the map.

use std::time::Duration;

use actions_browser::Deadline;
use actions_primitives::{Stage, page_change};
use actions_protocol::{ByteLimit, ErrorCode, Millis};
use serde_json::Value;

use super::Session;
use super::pages::Turn;
use crate::failure::CallError;
use crate::policy::Access;
use crate::run::as_lost_call;
use crate::state::{Reader, Snapshot, StateDiff, StateReading, SummaryReading};

/// How a state is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StateOptions {
    /// How large the result may be; the budget that the map declares still holds.
    pub max_bytes: Option<ByteLimit>,
    /// How long it may take; the time of a call when absent.
    pub timeout: Option<Millis>,
    /// How long a difference waits for a change before it says that nothing changed; not at all when absent.
    pub wait: Option<Millis>,
}

impl StateOptions {
    /// Sets how large the result may be.
    #[must_use]
    pub fn max_bytes(mut self, max_bytes: ByteLimit) -> Self {
        self.max_bytes = Some(max_bytes);
        self
    }

    /// Sets how long the reading may take.
    #[must_use]
    pub fn timeout(mut self, timeout: Millis) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Sets how long a difference waits for a change.
    #[must_use]
    pub fn wait(mut self, wait: Millis) -> Self {
        self.wait = Some(wait);
        self
    }
}

/// Every reading becomes the snapshot that the next difference is computed against.
impl Session {
    /// Reads the whole state of a projection.
    ///
    /// ```no_run
    /// # async fn example(session: actions_engine::Session) -> Result<(), actions_engine::CallError> {
    /// use actions_engine::StateOptions;
    ///
    /// let reading = session.read_state("site.board", StateOptions::default()).await?;
    /// println!("{}", reading.state);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn read_state(
        &self,
        projection: &str,
        options: StateOptions,
    ) -> Result<StateReading, CallError> {
        let turn = self.reading_turn(options).await?;
        let (reader, planned) = (turn.reader(self), self.engine.plans.projection(projection)?);
        let redirect = self.redirect();
        let reading = reader.state(&planned, options.max_bytes).await;
        let reading = reading.map_err(|error| self.explained(as_lost_call(error), redirect))?;
        self.pages.snapshots.keep(reader.page(), Snapshot::new(&reading.observation, reading.state.clone()));
        Ok(reading)
    }

    /// Reads the whole state of a projection for someone who watches the page: the next difference is still computed
    /// against the last other reading.
    pub async fn peek_state(&self, projection: &str, options: StateOptions) -> Result<Snapshot, CallError> {
        let turn = self.reading_turn(options).await?;
        let (reader, planned) = (turn.reader(self), self.engine.plans.projection(projection)?);
        let redirect = self.redirect();
        let reading = reader.state(&planned, options.max_bytes).await;
        let reading = reading.map_err(|error| self.explained(as_lost_call(error), redirect))?;
        Ok(Snapshot::new(&reading.observation, reading.state))
    }

    /// Reads a declared summary of the state of a projection.
    pub async fn summary(
        &self,
        projection: &str,
        summary: &str,
        arguments: &Value,
        options: StateOptions,
    ) -> Result<SummaryReading, CallError> {
        let turn = self.reading_turn(options).await?;
        let (reader, planned) = (turn.reader(self), self.engine.plans.projection(projection)?);
        let redirect = self.redirect();
        let summed_up = reader.summary(&planned, summary, arguments, options.max_bytes).await;
        let (reading, state) = summed_up.map_err(|error| self.explained(as_lost_call(error), redirect))?;
        self.pages.snapshots.keep(reader.page(), Snapshot::new(&reading.observation, state));
        Ok(reading)
    }

    /// Reads the state of a projection and returns what changed since it was last read on the current page. With a
    /// `wait`, reads again whenever the page changes, until the state differs or the wait is over.
    pub async fn diff(&self, projection: &str, options: StateOptions) -> Result<StateDiff, CallError> {
        let turn = self.reading_turn(options).await?;
        let (reader, planned) = (turn.reader(self), self.engine.plans.projection(projection)?);
        let before = self.pages.snapshots.last(reader.page(), planned.name.as_str());
        let clock = turn.stage.clock();
        let end = clock.now() + Duration::from_millis(options.wait.map_or(0, |wait| wait.0));
        let redirect = self.redirect();
        let (diff, after) = loop {
            let (diff, after) = match reader.diff(&planned, before.as_ref(), options.max_bytes).await {
                Ok(compared) => compared,
                Err(error) => return Err(self.explained(as_lost_call(error), redirect)),
            };
            let left = end.min(turn.deadline.at()).saturating_duration_since(clock.now());
            if before.is_none() || !diff.diff.is_empty() || left.is_zero() {
                break (diff, after);
            }
            let pause = Duration::from_millis(reader.limits.retry_pause.0).min(left);
            page_change(&turn.stage, pause, turn.deadline).await?;
        };
        self.pages.snapshots.keep(reader.page(), after);
        Ok(diff)
    }

    /// The snapshot that the next difference of a projection is computed against.
    pub fn snapshot(&self, projection: &str) -> Option<Snapshot> {
        self.pages.snapshots.last(&*self.page(), projection).map(|before| before.snapshot)
    }

    /// Replaces the last snapshot of a projection by one from outside the session, such as from a file. The next
    /// difference is refused if the snapshot is of a page with another address.
    pub fn keep_snapshot(&self, snapshot: Snapshot) {
        self.pages.snapshots.keep_foreign(&*self.page(), snapshot);
    }

    /// Waits until no other call runs, to read the current page.
    pub(super) async fn reading_turn(&self, options: StateOptions) -> Result<ReadingTurn, CallError> {
        let deadline = self.deadline(options.timeout);
        let turn = self.turn(deadline).await?;
        let url = turn.page.page().url();
        let admitted = self.engine.gate.admit_access(Access::Read { url: &url });
        let clock = self.clock();
        tokio::select! {
            biased;
            admitted = admitted => admitted?,
            () = clock.sleep_until(deadline.at()) => {
                return Err(CallError::new(ErrorCode::HandlerTimeout, "the decision of the policy about reading"));
            }
        }
        Ok(ReadingTurn { stage: self.stage_on(&turn.page), deadline, _turn: turn })
    }
}

/// The current page while no other call runs.
pub(super) struct ReadingTurn {
    pub(super) stage: Stage,
    pub(super) deadline: Deadline,
    _turn: Turn,
}

impl ReadingTurn {
    fn reader<'r>(&'r self, session: &'r Session) -> Reader<'r> {
        Reader { stage: &self.stage, limits: session.engine.limits(), deadline: self.deadline }
    }
}
