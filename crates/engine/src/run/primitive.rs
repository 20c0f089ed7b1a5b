use actions_dictionary::Primitive;
use actions_primitives::{Failure, perform};
use actions_protocol::StepId;
use serde_json::Value;

use super::Run;
use super::loss::as_lost;
use crate::event::RunEvent;

impl Run<'_> {
    /// Performs a primitive at its time, tells of it, and makes sure that the page is still where it may be.
    pub(super) async fn primitive(
        &self,
        step_id: Option<&StepId>,
        primitive: &'static Primitive,
        args: Value,
        index: Option<usize>,
    ) -> Result<Value, Failure> {
        self.gate.admit(primitive, self.standing)?;
        self.pacer.wait(self, primitive).await?;
        self.loss.refuse(self.stage.page())?;
        let start = self.now();
        // What is secret in the arguments of a tool is known only when that tool is.
        let nested = primitive.calls_tool.then(|| self.plan_nested(args.clone()));
        self.tell(RunEvent::PrimitiveStarted {
            step_id: step_id.cloned(),
            within: self.within(),
            primitive: primitive.name.clone(),
            args: self.secrets.mask(&args),
            mutating: primitive.mutating,
            index,
        });
        self.progress.enter_primitive(step_id, self.within(), &primitive.name, start);
        let changing = (primitive.mutating && nested.is_none()).then(|| self.about_to_change());
        let result = match nested {
            Some(Ok(nested)) => Box::pin(self.nested(nested)).await,
            Some(Err(failure)) => Err(failure),
            None => perform(self.stage, primitive, args, self.deadline()).await,
        };
        let result = result.map_err(as_lost);
        self.progress.leave();
        if let Some(changing) = changing {
            changing.ended(self, result.as_ref().err());
        }
        self.tell(RunEvent::PrimitiveFinished {
            step_id: step_id.cloned(),
            within: self.within(),
            primitive: primitive.name.clone(),
            output: result.as_ref().ok().map(|output| self.secrets.mask(output)),
            error: result.as_ref().err().map(|failure| self.told(failure)),
            duration_ms: self.millis_since(start),
        });
        self.gate.confine(self)?;
        result
    }
}
