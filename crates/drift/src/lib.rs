//! Finds out whether websites still match their maps.
//!
//! A [`Checker`] looks at the pages of one map: it makes the checks that the map declares, looks for every target, and
//! compares what it finds with a [`Lock`]. For a target that was lost it proposes how the map could be mended. It changes
//! neither the site nor the map.
//!
//! A [`Player`] plays a [`Case`]: a call, a reading or a check on a recorded page, and says where what came of it is not what
//! was expected.

mod assertion;
mod case;
mod checker;
mod likeness;
mod lock;
mod mark;
mod news;
mod recording;
mod repair;
mod result;
mod status;
mod target;
mod visit;
mod wall;

pub use case::{
    Case, CaseError, CaseReport, CaseResult, CaseStatus, CaseSummary, DiffWanted, Difference, Expected,
    Found, MAX_CASE_BYTES, Player, RunWanted, StateWanted, What, difference,
};
pub use checker::{Checked, Checker, Options, Source};
pub use lock::{Lock, MAX_LOCK_BYTES};
pub use news::{News, Since};
pub use recording::{Recording, recordings_beside};
pub use repair::Proposal;
pub use result::{CheckResult, Kind, Report, Summary};
pub use status::Status;
