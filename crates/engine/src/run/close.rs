use actions_protocol::ErrorObject;

use super::Run;
use super::progress::Begun;
use crate::event::{RunEvent, StepSummary};
use crate::failure::CallError;

impl Run<'_> {
    /// Tells the end of everything that was under way when a call was cut off, from the inside out.
    pub(super) fn close(&self, error: &CallError, summaries: &mut Vec<StepSummary>) {
        while let Some(begun) = self.progress.leave() {
            let evidence = error.to_error_object().evidence;
            let why = ErrorObject { evidence, ..ErrorObject::new(error.code, error.message.clone()) };
            match begun {
                Begun::Primitive { step_id, within, name, start } => self.tell(RunEvent::PrimitiveFinished {
                    step_id,
                    within,
                    primitive: name,
                    output: None,
                    error: Some(why),
                    duration_ms: self.millis_since(start),
                }),
                Begun::Step { step, start } => {
                    let summary = StepSummary {
                        id: step.id,
                        primitive: step.primitive,
                        ok: false,
                        skipped: false,
                        duration_ms: self.millis_since(start),
                        settle: None,
                    };
                    let within = self.progress.outer(usize::MAX);
                    if within.is_empty() {
                        summaries.push(summary.clone());
                    }
                    self.tell(RunEvent::StepFinished { within, summary, error: Some(why) });
                }
            }
        }
    }
}
