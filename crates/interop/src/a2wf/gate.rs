//! The policies of sites as the policy of an engine: it asks them about every call, every step and every page.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use actions_engine::browser::origin_of;
use actions_engine::{
    Access, CallError, Decision, Denial, Effect, ErrorCode, Intent, Operation as Asked, Policy, Primitive,
};
use async_trait::async_trait;
use serde_json::Value;
use url::Url;

use super::agent::Agent;
use super::decide::{Question, Settings, decide, limits};
use super::key::{Group, Key};
use super::memory::{Call, Calls, Tool};
use super::operation::{Applies, How, Kind, Operation, ToolFacts};
use super::site::SitePolicy;
use super::store::Store;
use super::verdict::{Request, Verdict, Verification, Warning};
use crate::fetch::is_local;
use crate::limits::{Limits, Reached, Scoped};

/// Which sites are asked for their policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Those on other machines: what this machine serves is under its own control.
    #[default]
    Remote,
    /// Those on this machine too.
    Everywhere,
}

/// How a gate obeys policies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GateOptions {
    /// Which sites are asked.
    pub scope: Scope,
    /// How policies are obeyed.
    pub settings: Settings,
    /// Whether an operation waits until a limit allows it, instead of failing.
    pub wait: bool,
}

/// Receives a line for people: what they should know of the policy of a site.
pub type Say = Arc<dyn Fn(&str) + Send + Sync>;

/// The policies of sites, together with the policy of the engine. A site can only forbid more.
///
/// ```no_run
/// # fn example(engine: actions_engine::Engine) -> Result<actions_engine::Engine, actions_interop::fetch::FetchError> {
/// use actions_engine::Rules;
/// use actions_interop::a2wf::{GateOptions, ObtainOptions, SitePolicyGate, Store};
/// use actions_interop::fetch::Client;
/// use actions_interop::identity::Identity;
///
/// let store = Store::new(Client::new(Identity::default())?, ObtainOptions::default());
/// let gate = SitePolicyGate::new(store, GateOptions::default());
/// # Ok(
/// engine.with_policy(gate.around(Rules::default()))
/// # )
/// # }
/// ```
#[derive(Clone)]
pub struct SitePolicyGate {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    options: GateOptions,
    agent: Agent,
    limits: Limits,
    calls: Calls,
    said: Mutex<HashSet<(String, Warning)>>,
    say: Option<Say>,
}

impl std::fmt::Debug for SitePolicyGate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SitePolicyGate").field("options", &self.inner.options).finish_non_exhaustive()
    }
}

/// The most things that are said once.
const MOST_SAID: usize = 10_000;

impl SitePolicyGate {
    /// A gate that asks the policies of a store. The agent is the identity of its client.
    pub fn new(store: Store, options: GateOptions) -> Self {
        Self::saying(store, options, None)
    }

    /// A gate that says what people should know.
    pub fn saying(store: Store, options: GateOptions, say: Option<Say>) -> Self {
        let agent = Agent::from(store.client().identity());
        let limits = Limits::new(Arc::clone(store.client().clock()));
        let (calls, said) = (Calls::default(), Mutex::default());
        Self { inner: Arc::new(Inner { store, options, agent, limits, calls, said, say }) }
    }

    /// The policy of an engine that obeys its own rules and those of sites.
    pub fn around<P: Policy>(&self, rules: P) -> impl Policy + use<P> {
        Around { rules, gate: self.clone() }
    }

    /// Decides about a primitive that is performed on a page without an engine: the page opens, and then it runs.
    pub async fn admit(&self, url: &str, primitive: &Primitive, arguments: &Value) -> Result<(), CallError> {
        let inner = &self.inner;
        if let Decision::Deny(denial) = Box::pin(inner.access(&Access::Open { url })).await {
            return Err(denial.into());
        }
        let name = primitive.name.as_str();
        let target = arguments.get("url").and_then(Value::as_str);
        let target = target.and_then(|target| Url::parse(url).ok()?.join(target).ok());
        let (place, operation) = match target {
            Some(to) if OPENS.contains(&name) => (to.to_string(), Operation::navigation(to)),
            _ => {
                let kind = match primitive.mutating {
                    true => Kind::Handling,
                    false if is_transit(name) => Kind::Transit,
                    false => Kind::Observation,
                };
                let group = if primitive.mutating { Group::Action } else { Group::Read };
                (url.to_owned(), Operation::new(kind, group))
            }
        };
        let Some(origin) = inner.governed(&place) else { return Ok(()) };
        let site = inner.store.of(&origin).await;
        match Box::pin(inner.decided(&site, &operation)).await {
            Ok(None) => Ok(()),
            Ok(Some(verification)) => {
                let request = Request { id: name, url: Some(url) };
                Err(verification.refusal(&request).denial(&site).into())
            }
            Err(denial) => Err(denial.into()),
        }
    }

    /// Fetches the policy of a site that will soon be asked, so that the first decision does not wait for it.
    pub async fn prepare(&self, url: &str) {
        if let Some(origin) = self.inner.governed(url) {
            self.inner.store.of(&origin).await;
        }
    }
}

/// The rules of an engine, and then the policies of sites.
struct Around<P> {
    rules: P,
    gate: SitePolicyGate,
}

#[async_trait]
impl<P: Policy> Policy for Around<P> {
    async fn decide(&self, intent: &Intent<'_>) -> Decision {
        match self.rules.decide(intent).await {
            Decision::Deny(denial) => Decision::Deny(denial),
            decision => match Box::pin(self.gate.inner.intent(intent)).await {
                Decision::Allow => decision,
                stricter => stricter,
            },
        }
    }

    async fn decide_access(&self, access: &Access<'_>) -> Decision {
        match self.rules.decide_access(access).await {
            Decision::Deny(denial) => Decision::Deny(denial),
            _ => Box::pin(self.gate.inner.access(access)).await,
        }
    }
}

/// Primitives that open the address in their argument `url`.
const OPENS: &[&str] = &["browser.navigate", "browser.open_tab"];

/// Primitives that request the address in their argument `url` without opening it.
const REQUESTS: &[&str] = &["page.fetch", "http.request", "wab.command"];

/// Primitives that look at the page without taking its content: they serve what comes before or after them. A name that
/// ends with a dot means its family.
const TRANSIT: &[&str] = &[
    "page.info",
    "locator.wait_for",
    "locator.element_info",
    "browser.wait_for_navigation",
    "browser.back",
    "browser.forward",
    "browser.active_tab.",
    "browser.claimed_tabs.",
    "browser.close_tab",
    "browser.dismiss_dialog",
    "flow.",
    "runtime.",
    "task.",
    "storage.",
    "bridge.",
    "cursor.",
    "pointer.move",
    "viewport.scroll",
];

/// Primitives that take many contents of the page at once.
const EXTRACTS: &[&str] = &["dom.extract", "browser.extract_elements", "dom.snapshot_text", "a11y.tree"];

fn is_transit(name: &str) -> bool {
    TRANSIT.iter().any(|known| if known.ends_with('.') { name.starts_with(known) } else { name == *known })
}

impl Inner {
    /// The origin whose policy governs an address; none if no site does, or none that is asked.
    fn governed(&self, url: &str) -> Option<String> {
        let origin = origin_of(url)?;
        let is_asked = match self.options.scope {
            Scope::Everywhere => true,
            Scope::Remote => !is_local(&Url::parse(&origin).ok()?),
        };
        is_asked.then_some(origin)
    }

    /// Decides about a page that is opened or read outside any call.
    async fn access(&self, access: &Access<'_>) -> Decision {
        let (url, operation) = match access {
            Access::Open { url } => match Url::parse(url) {
                Ok(to) => (*url, Operation::navigation(to)),
                Err(_) => return Decision::Allow,
            },
            Access::Read { url, .. } => (*url, Operation::new(Kind::Observation, Group::Read)),
            _ => return Decision::Allow,
        };
        let Some(origin) = self.governed(url) else { return Decision::Allow };
        let site = self.store.of(&origin).await;
        match self.decided(&site, &operation).await {
            Ok(_) => Decision::Allow,
            Err(denial) => Decision::Deny(denial),
        }
    }

    async fn intent(&self, intent: &Intent<'_>) -> Decision {
        let decided = match &intent.operation {
            Asked::Call { .. } => self.call(intent).await,
            Asked::Primitive { primitive, arguments, .. } => {
                self.primitive(intent, &primitive.name, primitive.mutating, arguments).await
            }
            _ => self.step(intent, Kind::Step, true, None).await,
        };
        match decided {
            Ok(None) => Decision::Allow,
            Ok(Some(verification)) => self.verified(intent, &verification).await,
            Err(denial) => Decision::Deny(denial),
        }
    }

    /// Decides about a call before its first step.
    async fn call(&self, intent: &Intent<'_>) -> Result<Option<Verification>, Denial> {
        let tool = Tool {
            name: intent.tool.to_string(),
            mutating: intent.effect == Effect::Mutating,
            declared: intent.facts.policy_keys.iter().filter_map(|key| Key::parse(key)).collect(),
            results: intent.facts.result_names.clone(),
        };
        self.calls.keep(intent.call_id, Call::of(tool));
        // A primitive that no tool performs is decided when it runs, with its arguments.
        if intent.facts.is_primitive {
            return Ok(None);
        }
        self.step(intent, Kind::Tool, intent.effect == Effect::Mutating, None).await
    }

    /// Decides about a primitive: of a tool, or on its own.
    async fn primitive(
        &self,
        intent: &Intent<'_>,
        name: &str,
        mutating: bool,
        arguments: &Value,
    ) -> Result<Option<Verification>, Denial> {
        let target = arguments.get("url").and_then(Value::as_str);
        let target = target.and_then(|target| match Url::parse(&intent.url) {
            Ok(page) => page.join(target).ok(),
            Err(_) => Url::parse(target).ok(),
        });
        if let (Some(to), true) = (&target, OPENS.contains(&name)) {
            return self.navigation(intent, to).await;
        }
        if let (Some(to), true) = (&target, REQUESTS.contains(&name)) {
            return self.step(intent, Kind::Step, mutating, Some(to)).await;
        }
        if EXTRACTS.contains(&name) {
            self.extraction(intent).await?;
        } else if mutating {
            self.page_may_change(intent);
        }
        let kind = match (intent.facts.is_primitive, mutating) {
            (false, _) => Kind::Step,
            (true, true) => Kind::Handling,
            (true, false) if is_transit(name) => Kind::Transit,
            (true, false) => Kind::Observation,
        };
        self.step(intent, kind, mutating, None).await
    }

    /// Opening an address counts on the site that is opened.
    async fn navigation(&self, intent: &Intent<'_>, to: &Url) -> Result<Option<Verification>, Denial> {
        self.page_may_change(intent);
        let Some(origin) = self.governed(to.as_str()) else { return Ok(None) };
        let site = self.store.of(&origin).await;
        self.decided(&site, &Operation::navigation(to.clone())).await
    }

    fn page_may_change(&self, intent: &Intent<'_>) {
        if let Some(mut call) = self.calls.find(intent.call_id) {
            call.is_new_page = true;
            self.calls.keep(intent.call_id, call);
        }
    }

    /// Counts an extraction. Beyond a few pages it is extraction in bulk, about which the policy is asked again.
    async fn extraction(&self, intent: &Intent<'_>) -> Result<(), Denial> {
        let Some(mut call) = self.calls.find(intent.call_id) else { return Ok(()) };
        if !call.is_new_page {
            return Ok(());
        }
        (call.pages, call.is_new_page) = (call.pages.saturating_add(1), false);
        let pages = call.pages;
        self.calls.keep(intent.call_id, call);
        if pages <= super::decide::MOST_PAGES {
            return Ok(());
        }
        let Some(origin) = self.governed(&intent.url) else { return Ok(()) };
        let site = self.store.of(&origin).await;
        let operation = Operation { pages, ..Operation::new(Kind::Step, Group::Read) };
        self.judge(&site, &operation).map(|_| ())
    }

    /// Decides about a call or one of its operations on the site of the page, or of the address that it requests.
    async fn step(
        &self,
        intent: &Intent<'_>,
        kind: Kind,
        mutating: bool,
        requests: Option<&Url>,
    ) -> Result<Option<Verification>, Denial> {
        let place = requests.map_or(intent.url.as_str(), Url::as_str);
        let Some(origin) = self.governed(place) else { return Ok(None) };
        let mut call = self.calls.find(intent.call_id).unwrap_or_default();
        if kind == Kind::Step && !mutating && requests.is_none() && call.knows(&origin) {
            return Ok(None);
        }
        let site = self.store.of(&origin).await;
        if kind == Kind::Step && requests.is_none() && call.is_admitted(&site) {
            return Ok(None);
        }
        let mut operation = match kind {
            // The first operation on another origin is for that origin what the call is for the first one.
            Kind::Tool => tool_on(&call.tool, &site),
            Kind::Step if mutating && !call.knows(&origin) && !intent.facts.is_primitive => {
                tool_on(&call.tool, &site)
            }
            Kind::Step if mutating => Operation { kind, ..tool_on(&call.tool, &site) },
            Kind::Step => reading(&call.tool, &site),
            kind => Operation::new(kind, if mutating { Group::Action } else { Group::Read }),
        };
        operation.opens = requests.cloned();
        let decided = self.decided(&site, &operation).await?;
        let is_verified = call.verified.contains(&origin);
        let decided = decided.filter(|_| !is_verified);
        // A step that only reads on another origin does not admit what may follow.
        if mutating || kind == Kind::Tool {
            if decided.is_some() {
                call.verified.push(origin);
            }
            call.admit(site);
            self.calls.keep(intent.call_id, call);
        }
        Ok(decided)
    }

    /// Decides, and counts the operation against the limits of the site.
    async fn decided(
        &self,
        site: &Arc<SitePolicy>,
        operation: &Operation,
    ) -> Result<Option<Verification>, Denial> {
        let verification = self.judge(site, operation)?;
        let scoped = limits(&self.question(site, operation));
        self.count(site, &scoped).await?;
        Ok(verification)
    }

    fn question<'q>(&'q self, site: &'q SitePolicy, operation: &'q Operation) -> Question<'q> {
        Question { site, operation, agent: &self.agent, settings: self.options.settings }
    }

    fn judge(&self, site: &SitePolicy, operation: &Operation) -> Result<Option<Verification>, Denial> {
        let (verification, warnings) = match decide(&self.question(site, operation)) {
            Verdict::Deny(refusal) => return Err(refusal.denial(site)),
            Verdict::Allow { warnings } => (None, warnings),
            Verdict::Verify(verification) => {
                let warnings = verification.warnings.clone();
                (Some(*verification), warnings)
            }
        };
        warnings.into_iter().for_each(|warning| self.warn(site, warning));
        Ok(verification)
    }

    async fn count(&self, site: &SitePolicy, scoped: &[Scoped]) -> Result<(), Denial> {
        loop {
            let reached = match self.limits.take(scoped) {
                Ok(()) => return Ok(()),
                Err(reached) => reached,
            };
            match reached.retry_after.filter(|_| self.options.wait) {
                // The engine ends the wait with the time of the call.
                Some(time) => {
                    let clock = self.store.client().clock();
                    clock.sleep_until(clock.now() + time).await;
                }
                None => return Err(limited(site, &reached)),
            }
        }
    }

    /// Says once per site what its callers should know.
    fn warn(&self, site: &SitePolicy, warning: Warning) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.len() < MOST_SAID && said.insert((site.origin.clone(), warning)) {
            tracing::warn!(origin = site.origin, warning = warning.as_str(), "policy of a site");
            if let Some(say) = &self.say {
                say(&format!("{}: {} ({})", site.origin, warning.sentence(), warning.as_str()));
            }
        }
    }

    /// What happens where a person must verify an operation.
    async fn verified(&self, intent: &Intent<'_>, verification: &Verification) -> Decision {
        if verification.can_be_asked() && intent.can_ask {
            return Decision::Ask { reason: Some(verification.reason.clone()) };
        }
        let request = Request { id: intent.call_id.as_str(), url: Some(&intent.url) };
        let Some(origin) = self.governed(&intent.url) else { return Decision::Allow };
        let site = self.store.of(&origin).await;
        // Nothing was verified: the next attempt is asked about again.
        if let Some(mut call) = self.calls.find(intent.call_id) {
            call.verified.retain(|known| *known != origin);
            call.admitted.retain(|known| known.origin != origin);
            self.calls.keep(intent.call_id, call);
        }
        Decision::Deny(verification.refusal(&request).denial(&site))
    }
}

/// The call of a tool, as the policy of a site sees it.
fn tool_on(tool: &Tool, site: &SitePolicy) -> Operation {
    let facts = ToolFacts {
        name: &tool.name,
        mutating: tool.mutating,
        declared: &tool.declared,
        results: &tool.results,
    };
    Operation::tool(&facts, Some(&site.policy))
}

/// A step that only reads: what forbids the tool forbids the step, and nothing else does.
fn reading(tool: &Tool, site: &SitePolicy) -> Operation {
    let keys = tool_on(tool, site).keys.into_iter().map(|one| Applies { how: How::Resembling, ..one });
    Operation { keys: keys.collect(), ..Operation::new(Kind::Step, Group::Read) }
}

fn limited(site: &SitePolicy, reached: &Reached) -> Denial {
    let per = reached.limit.per.as_secs();
    let scope = reached.scope.strip_prefix(&site.origin).unwrap_or(&reached.scope).trim();
    let message = format!(
        "the policy of {} allows `{scope}` {} times in {per} seconds, and that many were done",
        site.origin, reached.limit.count
    );
    let denial = Denial::new(ErrorCode::RateLimited, message)
        .with_evidence("origin", site.origin.clone())
        .with_evidence("gate", 10)
        .with_evidence("key", scope);
    let denial = site.url.iter().fold(denial, |denial, url| denial.with_evidence("document", url.as_str()));
    let retry = reached.retry_after.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    retry.into_iter().fold(denial, |denial, retry| denial.with_evidence("retry_after_ms", retry))
}
