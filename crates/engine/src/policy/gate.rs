//! The policy of an engine, who is asked, and where pages may go.

use std::collections::BTreeSet;
use std::sync::Arc;

use actions_browser::Confinement;
use actions_protocol::ErrorCode;

use super::{Access, AllowedOrigins, Confirm, Consent, Decision, Policy, Rules};
use crate::failure::CallError;

/// The policy of an engine, who is asked, and where pages may go.
#[derive(Clone)]
pub(crate) struct Gate {
    pub(crate) policy: Arc<dyn Policy>,
    pub(crate) confirm: Option<Arc<dyn Confirm>>,
    /// What the caller has agreed to in advance.
    pub(crate) consent: Arc<Consent>,
    pub(crate) allowed: AllowedOrigins,
    /// The origins of the maps.
    surface_origins: BTreeSet<String>,
}

impl std::fmt::Debug for Gate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gate")
            .field("confirm", &self.confirm.is_some())
            .field("consent", &self.consent)
            .field("allowed", &self.allowed)
            .field("surface_origins", &self.surface_origins)
            .finish_non_exhaustive()
    }
}

impl Gate {
    /// The gate of maps with these origins, under the default rules.
    pub(crate) fn new(surface_origins: BTreeSet<String>) -> Self {
        Self {
            policy: Arc::new(Rules::default()),
            confirm: None,
            consent: Arc::default(),
            allowed: AllowedOrigins::default(),
            surface_origins,
        }
    }

    /// Fails if pages must be confined and no origin is known.
    pub(crate) fn can_confine(&self) -> Result<(), CallError> {
        if !self.allowed.confine_subresources || self.confinement().is_some() {
            return Ok(());
        }
        let message = "every request of a page must stay on the allowed origins, and there are none: neither the \
                       surface of the map nor the caller names one";
        Err(CallError::new(ErrorCode::CapabilityUnavailable, message))
    }

    /// The origins that pages and requests may go to; any if absent.
    pub(crate) fn origins(&self) -> Option<BTreeSet<String>> {
        let origins: BTreeSet<String> = self.surface_origins.union(&self.allowed.origins).cloned().collect();
        (!origins.is_empty()).then_some(origins)
    }

    /// Fails if the policy does not let a session open or read a page.
    pub(crate) async fn admit_access(&self, access: Access<'_>) -> Result<(), CallError> {
        match self.policy.decide_access(&access).await {
            Decision::Allow => Ok(()),
            Decision::Deny(denial) => Err(denial.into()),
            Decision::Ask { .. } => {
                let message = "a person must allow this, and no one can be asked here";
                Err(CallError::new(ErrorCode::ConfirmationRequired, message))
            }
        }
    }

    /// Where pages may go: the origins of the maps and those the caller allows. Without any, pages are not confined.
    pub(crate) fn confinement(&self) -> Option<Confinement> {
        if self.surface_origins.is_empty() && self.allowed.origins.is_empty() {
            return None;
        }
        let confinement = Confinement::to(self.surface_origins.union(&self.allowed.origins));
        Some(if self.allowed.confine_subresources { confinement.with_subresources() } else { confinement })
    }
}
