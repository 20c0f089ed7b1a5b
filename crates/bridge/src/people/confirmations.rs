//! The questions that wait for a person.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actions_engine::{Confirm, Confirmation};
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::sync::{oneshot, watch};

/// How long a question waits. Then the answer is no.
const PATIENCE: Duration = Duration::from_secs(5 * 60);

/// How many questions may wait. The answer to further ones is no.
const MOST: usize = 100;

/// The people in front of the page. Calls ask them through [`Engine::on_confirm`](actions_engine::Engine::on_confirm).
#[derive(Clone, Default)]
pub struct People {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    changed: watch::Sender<u64>,
}

#[derive(Default)]
struct Waiting {
    last: u64,
    questions: BTreeMap<u64, (Value, oneshot::Sender<bool>)>,
}

impl std::fmt::Debug for People {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("People").field("questions", &self.waiting().questions.len()).finish()
    }
}

impl People {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.shared.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changed(&self) {
        self.shared.changed.send_modify(|version| *version = version.wrapping_add(1));
    }

    /// The questions that wait, the oldest first.
    pub(super) fn questions(&self) -> Vec<Value> {
        self.waiting().questions.values().map(|(question, _)| question.clone()).collect()
    }

    /// Notified when a question arrives or goes.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.shared.changed.subscribe()
    }

    /// Answers a question. Returns whether it was waiting.
    pub(super) fn decide(&self, id: u64, allow: bool) -> bool {
        let found = self.waiting().questions.remove(&id);
        self.changed();
        found.is_some_and(|(_, answer)| answer.send(allow).is_ok())
    }
}

#[async_trait]
impl Confirm for People {
    async fn confirm(&self, confirmation: Confirmation) -> bool {
        let (sender, answer) = oneshot::channel();
        let id = {
            let mut waiting = self.waiting();
            if waiting.questions.len() >= MOST {
                return false;
            }
            waiting.last += 1;
            let id = waiting.last;
            let question = json!({
                "id": id, "call_id": confirmation.call_id, "tool": confirmation.tool,
                "description": confirmation.description, "effect": confirmation.effect,
                "operation": confirmation.operation, "input": confirmation.input, "reason": confirmation.reason,
            });
            waiting.questions.insert(id, (question, sender));
            id
        };
        // A call that is cancelled meanwhile takes its question back.
        let _asked = Asked { people: self, id };
        self.changed();
        matches!(tokio::time::timeout(PATIENCE, answer).await, Ok(Ok(true)))
    }
}

struct Asked<'p> {
    people: &'p People,
    id: u64,
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        if self.people.waiting().questions.remove(&self.id).is_some() {
            self.people.changed();
        }
    }
}
