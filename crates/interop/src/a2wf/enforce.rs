//! Our own policy, applied to those who call us.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use actions_engine::browser::Clock;
use actions_engine::{CallError, ErrorCode};
use actions_manifest::Finding;

use super::agent::Agent;
use super::decide::{Question, Settings, decide, limits};
use super::key::Key;
use super::operation::{Operation, ToolFacts};
use super::read::{ReadOptions, read};
use super::site::{SitePolicy, State};
use super::verdict::{Refusal, Request, Verdict};
use crate::limits::Limits;

/// Why a policy cannot be enforced.
#[derive(Debug, thiserror::Error)]
pub enum EnforcerError {
    /// The file cannot be read.
    #[error("{path}: {error}", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The policy is not valid, and only a valid one is enforced.
    #[error("{path} is not a valid policy", path = path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        findings: Vec<Finding>,
    },
}

/// Applies a policy of ours to the clients that call us.
///
/// ```no_run
/// # fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::Arc;
/// use actions_engine::browser::SystemClock;
/// use actions_interop::a2wf::{Agent, Enforcer, ToolFacts};
///
/// let enforcer = Enforcer::load("siteai.json".as_ref(), Arc::new(SystemClock))?;
/// let caller = Agent { name: Some("clerk".to_owned()), ..Agent::default() };
/// let tool = ToolFacts { name: "shop.checkout", mutating: true, ..ToolFacts::default() };
/// println!("{:?}", enforcer.admit(&caller, &tool));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Enforcer {
    site: Arc<SitePolicy>,
    limits: Limits,
}

impl Enforcer {
    /// Reads the policy of a file.
    pub fn load(path: &Path, clock: Arc<dyn Clock>) -> Result<Self, EnforcerError> {
        let unreadable = |error| EnforcerError::Unreadable { path: path.to_owned(), error };
        let bytes = actions_manifest::read_file(path).map_err(unreadable)?;
        let name = path.display().to_string();
        let reading = read(&name, &bytes, ReadOptions { draft_1_1: false, now: Some(clock.unix_millis()) });
        if !reading.is_valid() {
            return Err(EnforcerError::Invalid { path: path.to_owned(), findings: reading.findings });
        }
        let is_over = reading.policy.expires_at.is_some_and(|end| end < clock.unix_millis());
        let state = if is_over { State::Expired } else { State::Valid };
        let origin = reading.policy.domain.as_ref().map(|domain| domain.origin().ascii_serialization());
        let empty = SitePolicy::empty(origin.unwrap_or_default(), state);
        let site = SitePolicy { policy: Arc::new(reading.policy), ..empty };
        Ok(Self { site: Arc::new(site), limits: Limits::new(clock) })
    }

    /// Whether a client may call a tool. The limits of the policy hold for each client by itself. A person cannot be asked
    /// here, so what needs one is refused.
    pub fn admit(&self, caller: &Agent, tool: &ToolFacts<'_>) -> Result<(), CallError> {
        let operation = Operation::tool(tool, Some(&self.site.policy));
        let settings = Settings::default();
        let question = Question { site: &self.site, operation: &operation, agent: caller, settings };
        match decide(&question) {
            Verdict::Allow { .. } => {}
            Verdict::Deny(refusal) => return Err(self.refused(&refusal)),
            Verdict::Verify(verification) => {
                let request = Request { id: tool.name, url: None };
                return Err(self.refused(&verification.refusal(&request)));
            }
        }
        let who = [&caller.name, &caller.operator, &caller.user_agent];
        let who: Vec<&str> = who.into_iter().map(|part| part.as_deref().unwrap_or_default()).collect();
        let mut scoped = limits(&question);
        let policy = &self.site.policy;
        // Each call is a request of the client.
        let minute = policy.defaults.per_minute.map(crate::limits::Limit::per_minute);
        let hour = policy.defaults.per_hour.map(crate::limits::Limit::per_hour);
        let whole = minute.into_iter().chain(hour);
        scoped.extend(whole.map(|limit| crate::limits::Scoped { scope: "defaults".to_owned(), limit }));
        for one in &mut scoped {
            one.scope = format!("{} {}", who.join("|"), one.scope);
        }
        self.limits.take(&scoped).map_err(|reached| {
            let retry = reached.retry_after.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
            let (count, per) = (reached.limit.count, reached.limit.per.as_secs());
            let message =
                format!("this policy allows {count} calls in {per} seconds, and that many were made");
            let error = CallError::new(ErrorCode::RateLimited, message);
            retry.into_iter().fold(error, |error, retry| error.with_evidence("retry_after_ms", retry))
        })
    }

    /// The permissions that the policy denies in so many words.
    pub fn denied(&self) -> impl Iterator<Item = &Key> {
        let permissions = self.site.policy.permissions.iter();
        permissions.filter(|(_, permission)| permission.allowed == Some(false)).map(|(key, _)| key)
    }

    fn refused(&self, refusal: &Refusal) -> CallError {
        let error = CallError::new(refusal.code, refusal.reason.clone());
        let facts = refusal.facts(&self.site).into_iter();
        facts.fold(error, |error, (name, value)| error.with_evidence(name, value))
    }
}
