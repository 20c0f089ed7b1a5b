//! Evaluates the `when` condition of a step.

use actions_primitives::Failure;

use super::{Run, Scope};
use crate::plan::Step;

impl Run<'_> {
    /// Whether a step should run. Its condition is evaluated once, before any loop.
    pub(super) fn should_run(&self, step: &Step, scope: &Scope) -> Result<bool, Failure> {
        step.when.as_ref().map_or(Ok(true), |condition| self.holds(condition, scope.value()))
    }
}
