//! Decides whether an operation may run: an [`Intent`] goes in, a [`Decision`] comes out.
//!
//! The engine asks the [`Policy`] about every call before its first step, and about every primitive of the call before
//! it runs. [`Rules`] is the policy of an engine that is given no other.

mod access;
mod allowed_origins;
mod confirm;
mod consent;
mod decision;
mod gate;
mod intent;
mod rules;

use async_trait::async_trait;

pub use access::Access;
pub use allowed_origins::AllowedOrigins;
pub use confirm::{Confirm, Confirmation};
pub use consent::Consent;
pub use decision::{Decision, Denial};
pub(crate) use gate::Gate;
pub use intent::{Intent, Operation};
pub use rules::Rules;

/// Decides whether an operation may run.
///
/// The engine waits for a decision no longer than the call may take. A policy that answers from memory costs no round
/// trip to the page.
///
/// ```
/// use actions_engine::{Decision, Denial, Effect, Intent, Policy};
/// use actions_protocol::ErrorCode;
///
/// /// Lets calls read, and change nothing outside one site.
/// struct ChangesOnlyAt(&'static str);
///
/// #[async_trait::async_trait]
/// impl Policy for ChangesOnlyAt {
///     async fn decide(&self, intent: &Intent<'_>) -> Decision {
///         if intent.effect == Effect::Read || intent.origin.as_deref() == Some(self.0) {
///             return Decision::Allow;
///         }
///         Decision::Deny(Denial::new(ErrorCode::PermissionDenied, format!("only {} may be changed", self.0)))
///     }
/// }
/// ```
#[async_trait]
pub trait Policy: Send + Sync {
    /// Decides about one operation.
    async fn decide(&self, intent: &Intent<'_>) -> Decision;

    /// Decides whether a session may open or read a page outside any call. No one can be asked there:
    /// [`Decision::Ask`] is a denial.
    async fn decide_access(&self, _access: &Access<'_>) -> Decision {
        Decision::Allow
    }
}

#[async_trait]
impl Policy for Box<dyn Policy> {
    async fn decide(&self, intent: &Intent<'_>) -> Decision {
        (**self).decide(intent).await
    }

    async fn decide_access(&self, access: &Access<'_>) -> Decision {
        (**self).decide_access(access).await
    }
}
