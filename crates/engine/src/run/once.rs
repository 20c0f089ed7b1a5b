//! Runs the primitive of a step once.

use actions_primitives::Failure;
use serde_json::Value;

use super::{Run, Scope};
use crate::plan::{Performs, Step};

impl Run<'_> {
    /// Performs a primitive of a step once.
    pub(super) async fn once(
        &self,
        step: &Step,
        performs: &Performs,
        scope: &Scope,
        index: Option<usize>,
    ) -> Result<Value, Failure> {
        let args = self.args_of(performs, scope).await?;
        self.primitive(Some(&step.id), performs.primitive, args, index).await
    }

    /// Evaluates the arguments of a primitive when its turn has come.
    pub(super) async fn args_of(&self, performs: &Performs, scope: &Scope) -> Result<Value, Failure> {
        self.checkpoint().await?;
        self.args(&performs.args, scope)
    }
}
