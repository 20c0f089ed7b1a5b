//! Tells a client how far its call has come: the steps of the map, and nothing that a page or an input says.

use std::sync::{Mutex, PoisonError};

use actions_engine::{EventKind, Observer, RunEvent, Timestamp};
use actions_protocol::{ActionProgress, Item, ProgressStep};

use crate::client::Weight;
use crate::order::Order;

/// Turns the events of a call into items for its client.
pub(crate) struct Progress<'o> {
    order: &'o Order,
    phases: Mutex<Phases>,
}

#[derive(Default)]
struct Phases {
    entered: Option<String>,
    completed: Option<String>,
}

impl<'o> Progress<'o> {
    pub(crate) fn of(order: &'o Order) -> Self {
        Self { order, phases: Mutex::default() }
    }

    fn tell(&self, step: ProgressStep) {
        let order = self.order;
        let mut phases = self.phases.lock().unwrap_or_else(PoisonError::into_inner);
        let phase = Some(step.id.to_string());
        match step.ok {
            None => phases.entered = phase,
            Some(_) => phases.completed = phase,
        }
        let mut progress =
            ActionProgress::new(order.call_id.clone(), order.runtime_id.clone(), order.action.as_str());
        progress.last_entered_content_phase.clone_from(&phases.entered);
        progress.last_completed_content_phase.clone_from(&phases.completed);
        progress.step = Some(step);
        progress.observed_at = now();
        drop(phases);
        order.client.tell(Item::from(progress).to_json().into(), Weight::Passing);
    }
}

impl Observer for Progress<'_> {
    fn event(&self, event: &RunEvent) {
        let within = event.within.clone();
        match &event.kind {
            EventKind::StepStarted { step_id, primitive, number, of } => self.tell(ProgressStep {
                id: step_id.clone(),
                primitive: primitive.clone(),
                within,
                number: Some(*number as u64),
                of: Some(*of as u64),
                ok: None,
                duration_ms: None,
            }),
            EventKind::StepFinished { summary, .. } => self.tell(ProgressStep {
                id: summary.id.clone(),
                primitive: summary.primitive.clone(),
                within,
                number: None,
                of: None,
                ok: Some(summary.ok),
                duration_ms: Some(summary.duration_ms),
            }),
            _ => {}
        }
    }
}

/// The time of the system.
pub(crate) fn now() -> Option<Timestamp> {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(Timestamp::from_unix_millis(u64::try_from(since.as_millis()).ok()?))
}
