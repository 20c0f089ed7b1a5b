//! What a policy decides.

use actions_primitives::Failure;
use actions_protocol::ErrorCode;
use serde_json::Value;

use crate::failure::CallError;

/// What a policy decided about an operation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Decision {
    /// The operation runs.
    Allow,
    /// The operation fails.
    Deny(Denial),
    /// A person decides. Without anyone to ask, the operation fails.
    Ask {
        /// Why the policy asks, for the person.
        reason: Option<String>,
    },
}

/// Why an operation may not run.
#[derive(Clone, Debug)]
pub struct Denial(Failure);

impl Denial {
    /// Denies an operation with a code and a sentence.
    pub fn new(code: ErrorCode, reason: impl Into<String>) -> Self {
        Self(Failure::new(code, reason))
    }

    /// Adds a fact that helps to understand the denial.
    #[must_use]
    pub fn with_evidence(self, key: &str, value: impl Into<Value>) -> Self {
        Self(self.0.with_evidence(key, value))
    }
}

impl From<Denial> for Failure {
    fn from(denial: Denial) -> Self {
        denial.0
    }
}

impl From<Denial> for CallError {
    fn from(denial: Denial) -> Self {
        denial.0.into()
    }
}
