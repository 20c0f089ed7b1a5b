use actions_primitives::{Failure, perform};
use serde_json::Value;

use super::{Run, Scope, ends_everything};
use crate::event::RunEvent;
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
        let args = self.args(&performs.args, scope)?;
        let primitive = performs.primitive;
        self.gate.admit(primitive, self.trusted)?;
        self.pacer.wait(self, primitive).await;
        let start = self.now();
        self.tell(RunEvent::PrimitiveStarted {
            step_id: step.id.clone(),
            primitive: primitive.name.clone(),
            args: self.secrets.mask(&args),
            mutating: primitive.mutating,
            index,
        });
        if primitive.mutating {
            self.progress.mutate();
        }
        let result = match primitive.name.as_str() {
            "actions.site" => Box::pin(self.nested(args)).await,
            _ => perform(self.stage, primitive, args, self.deadline).await,
        };
        self.tell(RunEvent::PrimitiveFinished {
            step_id: step.id.clone(),
            primitive: primitive.name.clone(),
            output: result.as_ref().ok().map(|output| self.secrets.mask(output)),
            error: result.as_ref().err().map(|failure| self.told(failure)),
            duration_ms: self.millis_since(start),
        });
        self.gate.confine(self.stage)?;
        result
    }

    /// Whether a failure is one a workflow can go on after.
    pub(super) fn survivable(failure: &Failure) -> bool {
        !ends_everything(failure.code)
    }
}
