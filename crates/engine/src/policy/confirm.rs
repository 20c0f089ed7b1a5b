//! The port through which a person is asked.

use actions_protocol::{CallId, SafeName};
use actions_trace::Masked;
use async_trait::async_trait;
use serde_json::Value;

use crate::plan::Effect;

/// An operation that a person is asked about.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Confirmation {
    /// The call.
    pub call_id: CallId,
    /// The tool.
    pub tool: SafeName,
    /// What the tool does.
    pub description: String,
    /// What the operation does to the site.
    pub effect: Effect,
    /// The primitive or the function of the page, when the policy asks about one; absent when it asks about the call.
    pub operation: Option<String>,
    /// The arguments of the call or the operation, without secrets.
    pub input: Masked<Value>,
    /// Why the policy asks.
    pub reason: Option<String>,
}

/// Asks a person, or a program in their place. The time the answer takes does not count against the call.
///
/// A function that returns a future is one: see [`Engine::on_confirm`](crate::Engine::on_confirm).
#[async_trait]
pub trait Confirm: Send + Sync {
    /// Whether the operation may run.
    async fn confirm(&self, confirmation: Confirmation) -> bool;
}

#[async_trait]
impl<F, A> Confirm for F
where
    F: Fn(Confirmation) -> A + Send + Sync,
    A: Future<Output = bool> + Send,
{
    async fn confirm(&self, confirmation: Confirmation) -> bool {
        self(confirmation).await
    }
}
