use actions_primitives::Failure;

use super::{Run, Scope};
use crate::plan::Step;

impl Run<'_> {
    /// Whether the condition of a step lets it run. It is looked at once, before any loop.
    pub(super) fn wanted(&self, step: &Step, scope: &Scope) -> Result<bool, Failure> {
        step.when.as_ref().map_or(Ok(true), |condition| self.holds(condition, scope.value()))
    }
}
