//! Reads the state of the current page through projections of the map.

use actions_protocol::{ByteLimit, Millis};
use serde_json::Value;

use super::Session;
use crate::failure::CallError;
use crate::run::as_lost_call;
use crate::state::{Reader, Snapshot, StateDiff, StateReading, SummaryReading};

/// How a state is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StateOptions {
    /// How large the result may be; the budget that the map declares still holds.
    pub max_bytes: Option<ByteLimit>,
    /// How long it may take; the time of a call when absent.
    pub timeout: Option<Millis>,
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
        self.with_reader(options, async |reader| {
            let planned = self.engine.plans.projection(projection)?;
            let reading = reader.state(&planned, options.max_bytes).await?;
            self.snapshots.keep(reader.page(), Snapshot::new(&reading.observation, reading.state.clone()));
            Ok(reading)
        })
        .await
    }

    /// Reads a declared summary of the state of a projection.
    pub async fn summary(
        &self,
        projection: &str,
        summary: &str,
        arguments: &Value,
        options: StateOptions,
    ) -> Result<SummaryReading, CallError> {
        self.with_reader(options, async |reader| {
            let planned = self.engine.plans.projection(projection)?;
            let (reading, state) = reader.summary(&planned, summary, arguments, options.max_bytes).await?;
            self.snapshots.keep(reader.page(), Snapshot::new(&reading.observation, state));
            Ok(reading)
        })
        .await
    }

    /// Reads the state of a projection and returns what changed since it was last read on the current page.
    pub async fn diff(&self, projection: &str, options: StateOptions) -> Result<StateDiff, CallError> {
        self.with_reader(options, async |reader| {
            let planned = self.engine.plans.projection(projection)?;
            let before = self.snapshots.last(reader.page(), planned.name.as_str());
            let (diff, after) = reader.diff(&planned, before.as_ref(), options.max_bytes).await?;
            self.snapshots.keep(reader.page(), after);
            Ok(diff)
        })
        .await
    }

    /// The snapshot that the next difference of a projection is computed against.
    pub fn snapshot(&self, projection: &str) -> Option<Snapshot> {
        self.snapshots.last(&*self.page(), projection).map(|before| before.snapshot)
    }

    /// Replaces the last snapshot of a projection by one from outside the session, such as from a file. The next
    /// difference is refused if the snapshot is of a page with another address.
    pub fn keep_snapshot(&self, snapshot: Snapshot) {
        self.snapshots.keep_foreign(&*self.page(), snapshot);
    }

    /// Reads projections of the current page while no other call runs.
    async fn with_reader<T>(
        &self,
        options: StateOptions,
        read: impl AsyncFnOnce(Reader<'_>) -> Result<T, CallError>,
    ) -> Result<T, CallError> {
        let deadline = self.deadline(options.timeout);
        let _turn = self.turn(deadline).await?;
        let stage = self.stage();
        let reader = Reader { stage: &stage, limits: self.engine.limits(), deadline };
        read(reader).await.map_err(as_lost_call)
    }
}
