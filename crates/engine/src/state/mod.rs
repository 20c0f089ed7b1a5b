//! The state of an application as a projection shows it: read, summed up, compared, proven.
//!
//! A [`projection::Projection`] is planned once; a [`reader::Reader`] takes it from the page in one round trip and
//! gives a [`reading::Reading`]; from that come the state, a summary of it, or what changed since the last snapshot.

mod budget;
pub(crate) mod diff;
mod extractor;
mod hash;
mod markers;
mod projection;
mod reader;
mod readiness;
mod reading;
mod snapshots;
mod summary;

pub(crate) use projection::Projection;
pub(crate) use reader::Reader;
pub(crate) use reading::Reading;
pub use reading::{Diagnostics, Observation, StateReading, SummaryReading};
pub(crate) use snapshots::Snapshots;
pub use snapshots::{Baseline, Snapshot, StateDiff};
pub(crate) use summary::DEFAULT_SUMMARY;
