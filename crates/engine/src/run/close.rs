//! Ends the events of a call that was cut off.

use actions_protocol::ErrorObject;
use actions_trace::{EventKind, StepSummary};

use super::Run;
use super::progress::Begun;
use crate::failure::CallError;

impl Run<'_> {
    /// Emits the end of everything that was running when a call was cut off, from the inside out.
    pub(super) fn close(&self, error: &CallError, summaries: &mut Vec<StepSummary>) {
        let evidence = error.to_error_object().evidence;
        let why = ErrorObject { evidence, ..ErrorObject::new(error.code, error.message.clone()) };
        while let Some(begun) = self.progress.leave() {
            let error = Some(self.secrets.mask(&why));
            match begun {
                Begun::Call { origin, start } => {
                    let duration_ms = self.millis_since(start);
                    self.emit_from(
                        origin,
                        EventKind::CallFinished { ok: false, value: None, error, duration_ms },
                    );
                }
                Begun::Primitive { origin, step_id, name, start } => {
                    let duration_ms = self.millis_since(start);
                    let primitive = name;
                    self.emit_from(
                        origin,
                        EventKind::PrimitiveFinished { step_id, primitive, output: None, error, duration_ms },
                    );
                }
                Begun::Step { origin, step, start } => {
                    let summary = StepSummary {
                        id: step.id,
                        primitive: step.primitive,
                        ok: false,
                        skipped: false,
                        duration_ms: self.millis_since(start),
                        settle: None,
                    };
                    if origin.within.is_empty() {
                        summaries.push(summary.clone());
                    }
                    self.emit_from(origin, EventKind::StepFinished { summary, error });
                }
            }
        }
    }
}
