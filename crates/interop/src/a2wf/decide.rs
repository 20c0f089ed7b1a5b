//! Decides whether a policy lets an agent do something. The gates are a table, in the order of the standard's companion
//! rules: the first gate that refuses decides. Notes of the site are data: no gate reads one.

use actions_engine::ErrorCode;

use super::agent::Agent;
use super::key::{Group, Key, plain};
use super::operation::{Applies, Kind, Operation, Use};
use super::policy::{Access, Permission, Policy};
use super::site::{SitePolicy, State};
use super::verdict::{Refusal, Verdict, Verification, Warning};
use crate::limits::{Limit, Scoped};

/// How policies are obeyed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Whether a site without a policy may only be read.
    pub require_policy: bool,
}

/// Everything that a decision depends on.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The policy of the site.
    pub site: &'q SitePolicy,
    /// What is to be done.
    pub operation: &'q Operation,
    /// Who wants to do it.
    pub agent: &'q Agent,
    /// How policies are obeyed.
    pub settings: Settings,
}

/// How many pages a run may extract before that is extraction in bulk.
pub const MOST_PAGES: u32 = 3;

/// A gate: it refuses, or it does not.
type Gate = fn(&Question<'_>) -> Option<Refusal>;

/// The gates in their order. Gate 6 has no place of its own: it lifts a default of gate 7.
const GATES: &[Gate] = &[blocked, identification, robots, forbidden, never, standing, unlisted, uses];

/// Decides about an operation, apart from limits.
///
/// ```
/// use actions_interop::a2wf::{Agent, Group, Kind, Operation, Question, Settings, SitePolicy, State, Verdict, decide};
///
/// let site = SitePolicy::empty("https://example.com", State::Unavailable);
/// let (agent, settings) = (Agent::default(), Settings::default());
/// let operation = Operation::new(Kind::Tool, Group::Action);
/// let question = Question { site: &site, operation: &operation, agent: &agent, settings };
/// assert!(matches!(decide(&question), Verdict::Deny(_)));
/// ```
pub fn decide(question: &Question<'_>) -> Verdict {
    if let Some(refusal) = GATES.iter().find_map(|gate| gate(question)) {
        return Verdict::Deny(Box::new(refusal));
    }
    let warnings = warnings(question);
    match verification(question) {
        Some(verification) => Verdict::Verify(Box::new(Verification { warnings, ..verification })),
        None => Verdict::Allow { warnings },
    }
}

impl<'q> Question<'q> {
    fn policy(&self) -> &'q Policy {
        &self.site.policy
    }

    /// The policy, if what it forbids counts.
    fn forbidding(&self) -> Option<&'q Policy> {
        self.site.state.forbids().then(|| self.policy())
    }

    /// Whether the operation does no more than look.
    fn only_reads(&self) -> bool {
        self.operation.weight() == Group::Read
    }

    /// The keys of the operation with what the policy says of each.
    fn permissions(&self) -> impl Iterator<Item = (&'q Applies, Option<&'q Permission>)> {
        let policy = self.policy();
        self.operation.keys.iter().map(|applies| (applies, policy.permissions.get(&applies.key)))
    }

    fn is_valid(&self) -> bool {
        self.site.state == State::Valid
    }
}

/// Gate 1: agents that are blocked do nothing.
fn blocked(question: &Question<'_>) -> Option<Refusal> {
    let blocked = &question.forbidding()?.identification.blocked;
    let entry = blocked.iter().find(|entry| question.agent.matches(&entry.pattern))?;
    let pattern: String = entry.pattern.chars().take(60).collect();
    let reason =
        format!("the policy of {} blocks this agent, by the pattern `{pattern}`", question.site.origin);
    let refusal = Refusal::new(ErrorCode::AgentBlocked, 1, reason).key("agentIdentification.blockedAgents");
    Some(refusal.note(entry.reason.as_deref()))
}

/// Gate 2: the agent says of itself what the policy wants to know.
fn identification(question: &Question<'_>) -> Option<Refusal> {
    let policy = question.forbidding()?;
    let (wanted, agent) = (&policy.identification, question.agent);
    let mut missing: Vec<String> = Vec::new();
    let mut keys: Vec<&str> = Vec::new();
    let has_user_agent = agent.field("userAgent").is_some();
    let is_known = has_user_agent && agent.field("agentName").is_some();
    let flags = [
        (wanted.require_user_agent, has_user_agent, "agentIdentification.requireUserAgent", "userAgent"),
        (!wanted.allow_anonymous, is_known, "agentIdentification.allowAnonymousAgents", "agentName"),
        (policy.defaults.require_identification, is_known, "defaults.requireIdentification", "agentName"),
        (
            policy.transparency_required,
            has_user_agent,
            "legal.euAiActCompliance.transparencyRequired",
            "userAgent",
        ),
    ];
    for (is_wanted, is_given, key, field) in flags {
        if is_wanted && !is_given {
            keys.push(key);
            missing.push(field.to_owned());
        }
    }
    for field in &wanted.required_fields {
        if agent.field(field).is_none() {
            keys.push("agentIdentification.requiredFields");
            missing.push(field.clone());
        }
    }
    let key = *keys.first()?;
    missing.sort_unstable();
    missing.dedup();
    let reason = format!(
        "the policy of {} wants to know more of agents: {}",
        question.site.origin,
        missing.join(", ")
    );
    let refusal =
        Refusal::new(ErrorCode::AgentIdentificationRequired, 2, reason).key(key).with("missing", missing);
    Some(
        refusal
            .with("hint", "say who runs the agent with `--agent-operator`, `--agent-purpose` and the like"),
    )
}

/// Gate 3: robots.txt, where the policy respects it.
fn robots(question: &Question<'_>) -> Option<Refusal> {
    let policy = question.forbidding()?;
    let url = question.operation.opens.as_ref()?;
    let robots = question.site.robots.as_ref().filter(|_| policy.defaults.respect_robots)?;
    if robots.allows(url) {
        return None;
    }
    let reason =
        format!("the robots.txt of {} does not let this program open {}", question.site.origin, url.path());
    Some(Refusal::new(ErrorCode::RobotsDisallowed, 3, reason).key("defaults.respectRobotsTxt"))
}

/// Whether the permissions of a policy concern the operation.
fn has_permissions(operation: &Operation) -> bool {
    !matches!(operation.kind, Kind::Navigation | Kind::Transit)
}

/// Gate 4: what the policy denies in so many words is denied.
fn forbidden(question: &Question<'_>) -> Option<Refusal> {
    question.forbidding()?;
    let denied = question.permissions().find_map(|(applies, permission)| {
        let permission = permission.filter(|permission| permission.allowed == Some(false))?;
        Some((applies, permission))
    });
    let (applies, permission) = denied.filter(|_| has_permissions(question.operation))?;
    let reason = format!("the policy of {} denies `{}`", question.site.origin, applies.key);
    let refusal = Refusal::new(ErrorCode::PolicyDenied, 4, reason).key(&applies.key);
    Some(refusal.with("how", serde_json::json!(applies.how)).note(permission.note.as_deref()))
}

/// Gate 5: a limit of zero is a prohibition.
fn never(question: &Question<'_>) -> Option<Refusal> {
    question.forbidding()?;
    let is_never = |permission: &&Permission| permission.rate_limit == Some(0);
    let found = question.permissions().find_map(|(applies, found)| Some((applies, found.filter(is_never)?)));
    let (applies, permission) = found.filter(|_| has_permissions(question.operation))?;
    let reason =
        format!("the policy of {} allows `{}` zero times a minute", question.site.origin, applies.key);
    let refusal = Refusal::new(ErrorCode::PolicyDenied, 5, reason).key(&applies.key);
    Some(refusal.note(permission.note.as_deref()))
}

/// Between gates 5 and 6: only a valid policy, or the absence of any, lets an agent do more than read.
fn standing(question: &Question<'_>) -> Option<Refusal> {
    if question.only_reads() {
        return None;
    }
    let origin = &question.site.origin;
    let why = question.site.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
    let (code, reason) = match question.site.state {
        State::Valid => return None,
        State::Absent if !question.settings.require_policy => return None,
        State::Absent => {
            (ErrorCode::PolicyUnavailable, format!("{origin} publishes no policy, and one is required"))
        }
        State::Unavailable => {
            (ErrorCode::PolicyUnavailable, format!("the policy of {origin} could not be fetched{why}"))
        }
        State::Invalid | State::CrossDomain | State::Insecure => {
            (ErrorCode::PolicyInvalid, format!("the policy of {origin} cannot be relied on{why}"))
        }
        State::Expired => (ErrorCode::PolicyExpired, format!("the policy of {origin} has expired{why}")),
    };
    Some(Refusal::new(code, 7, reason))
}

/// Gate 7: what the policy does not list is decided by its defaults, which gate 6 lifts for trusted agents.
fn unlisted(question: &Question<'_>) -> Option<Refusal> {
    if question.operation.kind == Kind::Step && question.operation.group == Group::Read {
        // A step that reads serves a tool that was allowed.
        return None;
    }
    if !question.is_valid() || !has_permissions(question.operation) {
        return transit(question);
    }
    let (policy, operation) = (question.policy(), question.operation);
    let deciding: Vec<(&Applies, Option<&Permission>)> =
        question.permissions().filter(|(applies, _)| applies.how.can_allow()).collect();
    for (applies, permission) in &deciding {
        let is_granted = permission.is_some_and(|permission| permission.allowed == Some(true));
        if !is_granted
            && !by_default(policy, applies.key.group, operation.kind)
            && !is_trusted(question, Some(&applies.key))
        {
            return Some(denied_by_default(question, &applies.key.to_string()));
        }
    }
    // A grant to read is no grant to act.
    let covered = deciding.iter().any(|(applies, _)| applies.key.group >= operation.group);
    if covered || by_default(policy, operation.group, operation.kind) || is_trusted(question, None) {
        return None;
    }
    Some(denied_by_default(question, operation.group.as_str()))
}

/// What is only on the way to something is denied where everything is that is not allowed.
fn transit(question: &Question<'_>) -> Option<Refusal> {
    let is_minimal = question.is_valid() && question.policy().defaults.access == Some(Access::Minimal);
    let is_denied = is_minimal && question.operation.kind == Kind::Transit && !is_trusted(question, None);
    is_denied.then(|| denied_by_default(question, "read"))
}

fn denied_by_default(question: &Question<'_>, what: &str) -> Refusal {
    let origin = &question.site.origin;
    let reason = format!("the policy of {origin} does not allow `{what}`, and denies what it does not list");
    Refusal::new(ErrorCode::PolicyDenied, 7, reason).key(what).with("default", true)
}

/// Whether a policy allows what it does not list.
fn by_default(policy: &Policy, group: Group, kind: Kind) -> bool {
    if policy.denies_unlisted_actions && group != Group::Read {
        return false;
    }
    match (policy.defaults.access, group, kind) {
        (_, Group::Data, _) => false,
        (Some(Access::Open), ..) => true,
        (None, Group::Read, _) => true,
        (None, Group::Action, _) => false,
        (Some(Access::Restricted), Group::Read, Kind::Observation) => true,
        (Some(Access::Restricted | Access::Minimal), ..) => false,
    }
}

/// Gate 6: whether the agent is one that the policy trusts with a key, or with everything.
fn is_trusted(question: &Question<'_>, key: Option<&Key>) -> bool {
    let agent = question.agent;
    let (Some(name), Some(operator)) = (&agent.name, &agent.operator) else { return false };
    let entries = question.policy().identification.trusted.iter();
    entries.filter(|entry| entry.name == *name && entry.operator == *operator).any(|entry| {
        entry.permissions.iter().any(|granted| {
            granted == "*" || key.is_some_and(|key| *granted == key.name || *granted == key.to_string())
        })
    })
}

/// Gate 8: what the data may be used for.
fn uses(question: &Question<'_>) -> Option<Refusal> {
    let scraping = question.forbidding()?.scraping?;
    let wanted = question.agent.intended_use();
    let prices =
        || question.permissions().any(|(applies, _)| applies.key == Key::new(Group::Read, "pricing"));
    let flags = [
        (!scraping.bulk_data_extraction && question.operation.pages > MOST_PAGES, "bulkDataExtraction"),
        (!scraping.training_data_usage && wanted == Some(Use::Training), "trainingDataUsage"),
        (!scraping.competitive_analysis && wanted == Some(Use::Competitive), "competitiveAnalysis"),
        (!scraping.content_reproduction && wanted == Some(Use::Republish), "contentReproduction"),
        (!scraping.price_monitoring && wanted == Some(Use::Monitoring) && prices(), "priceMonitoring"),
    ];
    let reads = has_permissions(question.operation);
    let (_, flag) = flags.into_iter().find(|(is_denied, _)| *is_denied && reads)?;
    let reason =
        format!("the policy of {} does not allow this use of its data: `{flag}`", question.site.origin);
    Some(
        Refusal::new(ErrorCode::ScrapingDenied, 8, reason).key(format!("scraping.{flag}")).with("flag", flag),
    )
}

/// Gate 9: what a person must verify, and how.
fn verification(question: &Question<'_>) -> Option<Verification> {
    let (policy, operation) = (question.policy(), question.operation);
    if !question.is_valid() || !has_permissions(operation) || question.only_reads() {
        return None;
    }
    let flagged =
        question.permissions().find(|(_, permission)| permission.is_some_and(|one| one.human_verification));
    let listed = || operation.keys.iter().find(|applies| is_listed(policy, &applies.key));
    let key = flagged.map(|(applies, _)| applies.key.to_string());
    let key = key
        .or_else(|| listed().map(|applies| format!("humanVerification.requiredFor: {}", applies.key.name)));
    let everything =
        policy.defaults.human_verification.then(|| "defaults.humanVerificationRequired".to_owned());
    let overseen =
        policy.oversight_mandatory.then(|| "legal.euAiActCompliance.humanOversightMandatory".to_owned());
    let key = key.or(everything).or(overseen)?;
    let hand_over = question.permissions().any(|(_, permission)| permission.is_some_and(|one| one.hand_over));
    let methods = policy.human.methods.as_deref();
    let reason = format!("the policy of {} wants a person to verify this, by `{key}`", question.site.origin);
    Some(Verification {
        way: Verification::way(methods, hand_over),
        methods: methods.into_iter().flatten().map(|method| method.as_str().to_owned()).collect(),
        key,
        reason,
        terms: policy.terms.clone(),
        warnings: Vec::new(),
    })
}

/// Whether `requiredFor` lists a key, with or without its group.
fn is_listed(policy: &Policy, key: &Key) -> bool {
    policy.human.required_for.iter().any(|listed| match Key::parse(listed) {
        Some(listed) => listed == *key,
        None => plain(listed) == plain(&key.name),
    })
}

fn warnings(question: &Question<'_>) -> Vec<Warning> {
    let state = match question.site.state {
        State::Valid => None,
        State::Absent => (!question.only_reads()).then_some(Warning::Absent),
        State::Unavailable => Some(Warning::Unavailable),
        State::Invalid | State::CrossDomain => Some(Warning::Invalid),
        State::Insecure => Some(Warning::Insecure),
        State::Expired => Some(Warning::Expired),
    };
    let is_use = question.operation.pages > MOST_PAGES || question.agent.intended_use().is_some();
    let unsaid = question.is_valid() && question.policy().scraping.is_none() && is_use;
    state.into_iter().chain(unsaid.then_some(Warning::NoScrapingTerms)).collect()
}

/// Gate 10: the limits that an operation counts against.
pub fn limits(question: &Question<'_>) -> Vec<Scoped> {
    let Some(policy) = question.forbidding() else { return Vec::new() };
    let origin = &question.site.origin;
    let scoped = |what: String, limit| Scoped { scope: format!("{origin} {what}"), limit };
    let mut limits = Vec::new();
    if question.operation.kind == Kind::Tool {
        for (applies, permission) in question.permissions() {
            let count = permission.and_then(|permission| permission.rate_limit);
            limits.extend(count.map(|count| scoped(applies.key.to_string(), Limit::per_minute(count))));
        }
    }
    // Each document that is opened counts, and what is read without a tool.
    if matches!(question.operation.kind, Kind::Navigation | Kind::Observation)
        || question.operation.opens.is_some()
    {
        let minute = policy.defaults.per_minute.map(Limit::per_minute);
        let hour = policy.defaults.per_hour.map(Limit::per_hour);
        let named = policy.limits.iter().copied();
        limits.extend(
            minute.into_iter().chain(hour).chain(named).map(|limit| scoped("defaults".to_owned(), limit)),
        );
    }
    limits
}
