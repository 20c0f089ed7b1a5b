//! `actions run --traverse`: repeats the tool of a transition until its convergence ends it.

use actions_engine::{Outcome, TraceRecorder, Traversal};

use crate::output::note;

/// Runs the traversal. Its value says whether it converged, how many attempts it took, and what they returned.
pub(super) async fn run(traversal: Traversal<'_>, trace: Option<&TraceRecorder>, quiet: bool) -> Outcome {
    let traversal = match trace {
        Some(trace) => traversal.trace(trace),
        None => traversal,
    };
    let outcome = traversal.run().await;
    if outcome.result.as_ref().is_ok_and(|converged| !converged) && !quiet {
        let attempts = outcome.attempts;
        note(format!("warning: `complete_when` does not hold after {attempts} attempts"));
    }
    outcome.into()
}
