//! Regression cases: a call, a reading or a check on a recorded page, and what must come of it.

mod difference;
mod found;
mod model;
mod play;
mod result;

pub use difference::{Difference, difference};
pub use found::Found;
pub use model::{Case, CaseError, DiffWanted, Expected, MAX_CASE_BYTES, RunWanted, StateWanted, What};
pub use play::Player;
pub use result::{CaseReport, CaseResult, CaseStatus, CaseSummary};
