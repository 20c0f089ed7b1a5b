//! A map, loaded: planned, opened on pages, held to its limits and its policy.

use std::path::Path;
use std::sync::Arc;

use actions_browser::{Confinement, Deadline, origin_of};
use actions_dictionary::Dictionary;
use actions_manifest::{CheckedManifest, Files, Finding, Options, Profile, read_file, validate};
use actions_primitives::Permits;
use actions_protocol::{ErrorCode, Millis};

use crate::failure::CallError;
use crate::limits::Limits;
use crate::plan::Plan;
use crate::plans::Plans;
use crate::policy::{AllowedOrigins, Confirm, Consent, Gate, Policy};
use crate::site::SiteRequest;

/// A map that is ready to be performed, with the limits and the policy of the embedder.
///
/// ```
/// use actions_engine::Engine;
///
/// let map = br#"{
///   "protocol": "actions.json", "version": 1,
///   "tools": [{ "name": "guide.read", "description": "Returns the guide.",
///               "input_schema": { "type": "object", "additionalProperties": false },
///               "x_actions": { "static_output": "Search first." } }]
/// }"#;
/// let engine = Engine::from_bytes("actions.json", map).unwrap();
/// assert_eq!(engine.tools().collect::<Vec<_>>(), ["guide.read"]);
/// ```
#[derive(Clone, Debug)]
pub struct Engine {
    pub(crate) gate: Gate,
    pub(crate) permits: Permits,
    /// Whether a start page with an HTTP error status is accepted.
    pub(crate) allow_http_error: bool,
    /// Whether a session that opens must be signed in.
    pub(crate) check_auth: bool,
    /// When everything ends at the latest.
    pub(crate) end: Option<Deadline>,
    /// The map and its limits; plans are shared with clones of the engine.
    pub(crate) plans: Arc<Plans>,
}

/// Why a map was not loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file could not be read.
    #[error("{path}: {error}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// The map breaks the rules of the format; nothing of it is exposed.
    #[error("the map is invalid: {}", first(findings))]
    Invalid {
        /// Everything that is wrong with it.
        findings: Vec<Finding>,
    },
}

fn first(findings: &[Finding]) -> String {
    let error = findings.iter().find(|finding| finding.severity == actions_manifest::Severity::Error);
    error.map(|finding| format!("{} {}", finding.rule.code, finding.message)).unwrap_or_default()
}

impl Engine {
    /// Loads a map from a file, strictly.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let bytes = read_file(path).map_err(|error| LoadError::Unreadable { path: name.clone(), error })?;
        Self::from_bytes(&name, &bytes)
    }

    /// Reads a map from memory, strictly; imports are looked for beside `name`.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, LoadError> {
        let options = Options { profile: Profile::Strict, imports: &Files::of(name) };
        let validation = validate(name, bytes, &options);
        match validation.manifest {
            Some(manifest) => Ok(Self::new(manifest)),
            None => Err(LoadError::Invalid { findings: validation.findings }),
        }
    }

    /// Takes a manifest that has been checked already.
    pub fn new(manifest: CheckedManifest) -> Self {
        let surfaces = manifest.parts().iter().filter_map(|part| part.manifest()?.surface());
        let declared = surfaces.flat_map(|surface| {
            surface.origin.as_ref().or(surface.url.as_ref()).into_iter().chain(&surface.origins)
        });
        let surface_origins = declared.filter_map(|declared| origin_of(declared)).collect();
        let gate = Gate::new(surface_origins);
        let plans = Arc::new(Plans::new(Arc::new(manifest), Limits::default()));
        Self {
            gate,
            permits: Permits::default(),
            allow_http_error: false,
            check_auth: false,
            end: None,
            plans,
        }
    }

    /// Sets what calls may use up.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        // A plan holds to the limits it was made with.
        self.plans = Arc::new(Plans::new(Arc::clone(&self.plans.manifest), limits));
        self
    }

    /// Sets when everything ends at the latest: opening a page, waiting for a turn, calls and readings. A call that asks
    /// for more time gets no more.
    #[must_use]
    pub fn ending_at(mut self, end: Deadline) -> Self {
        self.end = Some(end);
        self
    }

    /// A deadline, or the end of everything if that is earlier.
    pub(crate) fn no_later(&self, deadline: Deadline) -> Deadline {
        self.end.map_or(deadline, |end| deadline.or_earlier(end))
    }

    /// Sets the policy, which decides what calls may do. Without it, [`Rules`](crate::Rules) decide.
    #[must_use]
    pub fn with_policy(mut self, policy: impl Policy + 'static) -> Self {
        self.gate.policy = Arc::new(policy);
        self
    }

    /// Sets who is asked when the policy wants a person to decide. The default [`Rules`](crate::Rules) ask about every
    /// call that may change the site.
    ///
    /// ```
    /// # let map = br#"{ "protocol": "actions.json", "version": 1, "tools": [] }"#;
    /// use actions_engine::{Confirmation, Engine};
    ///
    /// let engine = Engine::from_bytes("actions.json", map).unwrap();
    /// let engine = engine.on_confirm(|asked: Confirmation| async move {
    ///     println!("{} {}", asked.tool, asked.input);
    ///     false
    /// });
    /// ```
    #[must_use]
    pub fn on_confirm(mut self, confirm: impl Confirm + 'static) -> Self {
        self.gate.confirm = Some(Arc::new(confirm));
        self
    }

    /// Sets what the caller has agreed to in advance, and who is asked about tools whose map demands a person's yes.
    #[must_use]
    pub fn with_consent(mut self, consent: Consent) -> Self {
        self.gate.consent = Arc::new(consent);
        self
    }

    /// Sets where pages may go beyond the origins of the maps.
    #[must_use]
    pub fn with_origins(mut self, allowed: AllowedOrigins) -> Self {
        self.gate.allowed = allowed;
        self
    }

    /// Sets whether a session opens on a start page that comes with an HTTP status of 400 or more. Without it, that is
    /// `navigation_failed`.
    #[must_use]
    pub fn allow_http_error(mut self, allow: bool) -> Self {
        self.allow_http_error = allow;
        self
    }

    /// Sets whether a session that opens must be signed in, for contexts with a storage state. The map says by
    /// `x_actions.auth_check` how that is recognised; opening fails with `auth_lost` when the login has expired.
    #[must_use]
    pub fn check_auth(mut self, check: bool) -> Self {
        self.check_auth = check;
        self
    }

    /// Sets what primitives may do beyond the page.
    #[must_use]
    pub fn with_permits(mut self, permits: Permits) -> Self {
        self.permits = permits;
        self
    }

    /// The map.
    pub fn manifest(&self) -> &CheckedManifest {
        &self.plans.manifest
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.plans.limits
    }

    /// The time limit of a call that sets none.
    pub fn call_timeout(&self) -> Millis {
        self.limits().call_timeout
    }

    /// The names of the tools.
    pub fn tools(&self) -> impl Iterator<Item = String> {
        self.manifest().tools().map(|tool| tool.name.to_string()).collect::<Vec<_>>().into_iter()
    }

    /// Plans a tool without running it. A tool is planned once.
    pub fn plan(&self, tool: &str) -> Result<Arc<Plan>, CallError> {
        self.plans.tool(tool)
    }

    /// Whether a primitive may change something; none if there is no such primitive.
    pub fn primitive_mutates(name: &str) -> Option<bool> {
        Dictionary::builtin().get(name).map(|primitive| primitive.mutating)
    }

    /// Makes sure that a request names what the map has and that its arguments fit, without a page.
    pub fn check_request(&self, request: &SiteRequest) -> Result<(), CallError> {
        match request {
            SiteRequest::List => Ok(()),
            SiteRequest::Call { action, arguments, .. } => {
                self.plan(action)?.accept(arguments.clone()).map(|_| ())
            }
            SiteRequest::StateRead { projection, .. } | SiteRequest::StateDiff { projection, .. } => {
                self.plans.projection(projection).map(|_| ())
            }
            SiteRequest::StateSummary { projection, summary, arguments, .. } => {
                self.plans.projection(projection)?.check_summary(summary, arguments)
            }
        }
    }

    /// The tool that a traversal of this transition repeats. Fails if nothing says when repeating ends: the transition has
    /// no tool or no `convergence`, or its `complete_when` is in words.
    pub fn traversed_tool(&self, transition: &str) -> Result<String, CallError> {
        self.plans.traversed(transition).map(|(_, tool)| tool.to_owned())
    }

    /// Fails if a transition cannot be repeated, or if another tool performs it.
    pub fn check_traversal(&self, transition: &str, tool: &str) -> Result<(), CallError> {
        let performs = self.traversed_tool(transition)?;
        if performs == tool {
            return Ok(());
        }
        let message = format!("the transition `{transition}` is performed by `{performs}`, not by `{tool}`");
        Err(CallError::new(actions_protocol::ErrorCode::WrongUsage, message))
    }

    /// The page calls start on: `surface.url`, else the surface's origin.
    pub fn start_url(&self) -> Option<String> {
        let surface = self.manifest().root().surface()?;
        surface.url.as_ref().or(surface.origin.as_ref()).map(|url| url.value.clone())
    }

    /// Where pages may go, for [`ContextOptions::confinement`](actions_browser::ContextOptions::confinement). None if
    /// neither the map nor the policy names an origin: then they may go anywhere.
    pub fn confinement(&self) -> Option<Confinement> {
        self.gate.confinement()
    }
}

impl From<LoadError> for CallError {
    fn from(error: LoadError) -> Self {
        let code = match &error {
            LoadError::Unreadable { .. } => ErrorCode::ManifestNotFound,
            LoadError::Invalid { .. } => ErrorCode::ManifestInvalid,
        };
        CallError::new(code, error.to_string())
    }
}
