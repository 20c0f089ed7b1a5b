//! The option `--enforce-policy`: our own policy, applied to the clients that call us.

use std::path::PathBuf;
use std::sync::Arc;

use actions_engine::CallError;
use actions_engine::browser::SystemClock;
use actions_interop::a2wf::{Agent, Enforcer, EnforcerError, Key, ToolFacts};
use actions_protocol::ErrorCode;
use actions_runtime::{Admission, Called, Caller};

use crate::findings;

/// Option of commands that serve clients.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct EnforceOption {
    /// Apply this siteai.json of your own to the clients
    #[arg(long, value_name = "FILE")]
    enforce_policy: Option<PathBuf>,
}

impl EnforceOption {
    /// Reads the policy, if the option was given. Findings are printed.
    pub(crate) fn admission(&self) -> Result<Option<Arc<dyn Admission>>, CallError> {
        let Some(path) = &self.enforce_policy else { return Ok(None) };
        let enforcer = Enforcer::load(path, Arc::new(SystemClock)).map_err(|error| {
            let code = match &error {
                EnforcerError::Unreadable { .. } => ErrorCode::WrongUsage,
                EnforcerError::Invalid { findings, .. } => {
                    findings::human::print(findings);
                    ErrorCode::ManifestInvalid
                }
            };
            CallError::new(code, error.to_string())
                .with_evidence("hint", "`actions policy validate FILE` says what is wrong")
        })?;
        Ok(Some(Arc::new(Enforced(enforcer))))
    }
}

/// A policy as the admission of a session.
#[derive(Debug)]
struct Enforced(Enforcer);

impl Admission for Enforced {
    fn admit(&self, caller: &Caller, called: &Called<'_>) -> Result<(), CallError> {
        let agent =
            Agent { name: caller.name.clone(), user_agent: caller.user_agent.clone(), ..Agent::default() };
        let declared: Vec<Key> = called
            .facts
            .into_iter()
            .flat_map(|facts| facts.policy_keys.iter().filter_map(|key| Key::parse(key)))
            .collect();
        let results = called.facts.map(|facts| facts.result_names.as_slice()).unwrap_or_default();
        let facts = ToolFacts { name: called.name, mutating: called.mutating, declared: &declared, results };
        self.0.admit(&agent, &facts)
    }
}
