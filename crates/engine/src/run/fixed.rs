//! Answers a call of a tool with a fixed output, which needs no page.

use std::time::Instant;

use actions_protocol::CallId;
use actions_trace::{EventKind, Masked, RunEvent, TraceRecorder};

use super::about::about;
use super::call::Outcome;
use super::perform::fits;
use crate::observer::Observer;
use crate::plan::{CheckedInput, Execution};
use crate::plans::Plans;
use crate::secret;

/// Answers the call if its tool has a fixed output and changes nothing. Otherwise a page has to be opened for it.
pub(crate) fn answer_fixed(
    plans: &Plans,
    input: &CheckedInput,
    call_id: CallId,
    observer: &dyn Observer,
    trace: Option<&TraceRecorder>,
) -> Option<Outcome> {
    let plan = &*input.plan;
    let value = match &plan.execution {
        Execution::Static(value) if input.is_static() => value.clone(),
        _ => return None,
    };
    let start = Instant::now();
    let secrets = secret::of_input(plan.input.schema(), &input.value);
    if let Some(trace) = trace {
        trace.begin(&about(&plans.manifest, plan, &call_id), &plan.to_json());
    }
    let emit = |kind: EventKind| {
        let event = RunEvent { kind, call_id: call_id.clone(), within: Vec::new() };
        observer.event(&event);
        if let Some(trace) = trace {
            trace.record(&event);
        }
    };
    emit(EventKind::CallStarted {
        parent: None,
        tool: plan.name.clone(),
        input: secrets.mask(&input.value),
        url: secrets.mask(""),
    });
    let result = fits(plan, &value).map(|()| value).map_err(|error| secrets.mask(&error));
    let duration = start.elapsed();
    emit(EventKind::CallFinished {
        ok: result.is_ok(),
        value: result.as_ref().ok().map(|value| secrets.mask(value)),
        error: result.as_ref().err().map(Masked::convert),
        duration_ms: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
    });
    let result = result.map_err(Masked::into_inner);
    Some(Outcome { call_id, result, steps: Vec::new(), arrival: None, duration, secrets })
}
