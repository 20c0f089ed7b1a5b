//! The other sections of a policy.

use actions_manifest::document::{Kind, Node, Spot};
use url::Url;

use super::super::key::{Group, Key, plain};
use super::super::policy::{Access, Blocked, Method, Policy, Scraping, Trusted};
use super::super::rules::{
    a2wf004_domain_not_an_address, a2wf005_not_a_language, a2wf009_unknown_verification,
    a2wf010_verification_not_listed, a2wf011_schema_at_top, a2wf013_other_context, a2wf014_no_date,
    a2wf015_search_without_permission,
};
use super::members::Members;
use super::shown;

/// The most agents and words of one list that are kept.
const MOST: usize = 1_000;

pub(super) fn identity(members: &mut Members<'_, '_>, policy: &mut Policy, is_draft: bool) {
    let help = "add `identity` with `domain`, `name` and `inLanguage`";
    if members.required("identity", help).is_none() {
        return;
    }
    let Some(node) = members.object("identity") else { return };
    let mut members = members.of(node);
    // The draft has no domain: there a policy describes the host that serves it.
    if !is_draft || node.get("domain").is_some() {
        domain(&mut members, policy);
    }
    if members.required("name", "add the name of the site").is_some() {
        policy.name = members.text("name").map(shown);
    }
    if let Some(language) = members.required("inLanguage", "add a BCP 47 tag such as \"en\"")
        && let Some(text) = members.text_of(language)
        && !is_language(text)
    {
        let message = format!("`{}` is no BCP 47 tag", shown(text));
        members
            .report
            .find(&a2wf005_not_a_language::RULE, language, message)
            .help("write a tag such as \"en\"");
    }
    for key in ["description", "purpose", "category", "jurisdiction", "contact"] {
        members.text(key);
    }
    members.texts("applicableLaw");
}

fn domain(members: &mut Members<'_, '_>, policy: &mut Policy) {
    let help = "add the address of the site, such as \"https://example.com\"";
    let Some(node) = members.required("domain", help) else { return };
    let Some(text) = members.text_of(node) else { return };
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    if url.is_none() {
        let message = format!("`{}` is no absolute http or https address", shown(text));
        members.report.find(&a2wf004_domain_not_an_address::RULE, node, message).help(help);
    }
    policy.domain = url;
}

/// Whether a text has the form of a BCP 47 tag: a language of two or three letters, then further subtags.
fn is_language(text: &str) -> bool {
    let mut subtags = text.split('-');
    let first = subtags.next().unwrap_or_default();
    let is_further =
        |one: &str| (1..=8).contains(&one.len()) && one.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (2..=3).contains(&first.len())
        && first.bytes().all(|byte| byte.is_ascii_alphabetic())
        && subtags.all(is_further)
}

pub(super) fn identification(members: &mut Members<'_, '_>, policy: &mut Policy) {
    let Some(node) = members.object("agentIdentification") else { return };
    let mut members = members.of(node);
    let wanted = &mut policy.identification;
    wanted.require_user_agent = members.boolean("requireUserAgent").unwrap_or(false);
    wanted.allow_anonymous = members.boolean("allowAnonymousAgents").unwrap_or(true);
    let fields = members.texts("requiredFields").unwrap_or_default();
    wanted.required_fields = fields.into_iter().take(MOST).map(shown).collect();
    for node in members.elements("trustedAgents").unwrap_or_default().into_iter().take(MOST) {
        if !members.typed(node, Kind::Object) {
            continue;
        }
        let mut entry = members.of(node);
        let (name, operator) = (entry.text("name"), entry.text("operator"));
        if let (Some(name), Some(operator)) = (name, operator) {
            let permissions = trusted_permissions(node.get("permissions"));
            wanted.trusted.push(Trusted {
                name: name.to_owned(),
                operator: operator.to_owned(),
                permissions,
            });
        }
    }
    for node in members.elements("blockedAgents").unwrap_or_default().into_iter().take(MOST) {
        if !members.typed(node, Kind::Object) {
            continue;
        }
        let mut entry = members.of(node);
        let (pattern, reason) = (entry.text("pattern"), entry.text("reason"));
        if let Some(pattern) = pattern {
            let pattern = pattern.chars().take(200).collect();
            wanted.blocked.push(Blocked { pattern, reason: reason.map(str::to_owned) });
        }
    }
}

/// What a trusted agent may do. The standard does not say how that is written: a list of keys, `*`, or an object.
fn trusted_permissions(node: Option<Node<'_>>) -> Vec<String> {
    let Some(node) = node else { return Vec::new() };
    match node.kind() {
        Kind::String => node.as_str().into_iter().map(str::to_owned).collect(),
        Kind::Array => node.elements().filter_map(Node::as_str).take(MOST).map(str::to_owned).collect(),
        Kind::Object => {
            let granted = node.members().filter(|(_, value)| value.as_bool() == Some(true));
            granted.take(MOST).map(|(key, _)| key.to_owned()).collect()
        }
        _ => Vec::new(),
    }
}

pub(super) fn scraping(members: &mut Members<'_, '_>, policy: &mut Policy) {
    let Some(node) = members.object("scraping") else { return };
    let mut members = members.of(node);
    let mut flag = |key| members.boolean(key).unwrap_or(false);
    policy.scraping = Some(Scraping {
        bulk_data_extraction: flag("bulkDataExtraction"),
        price_monitoring: flag("priceMonitoring"),
        content_reproduction: flag("contentReproduction"),
        competitive_analysis: flag("competitiveAnalysis"),
        training_data_usage: flag("trainingDataUsage"),
    });
    members.text("note");
}

const ACCESS: &[(&str, Access)] =
    &[("open", Access::Open), ("restricted", Access::Restricted), ("minimal", Access::Minimal)];

pub(super) fn defaults(members: &mut Members<'_, '_>, policy: &mut Policy) {
    let Some(node) = members.object("defaults") else { return };
    let mut members = members.of(node);
    let defaults = &mut policy.defaults;
    defaults.access = members.word("agentAccess", ACCESS);
    defaults.require_identification = members.boolean("requireIdentification").unwrap_or(false);
    defaults.human_verification = members.boolean("humanVerificationRequired").unwrap_or(false);
    defaults.per_minute = members.count("maxRequestsPerMinute");
    defaults.per_hour = members.count("maxRequestsPerHour");
    defaults.respect_robots = members.boolean("respectRobotsTxt").unwrap_or(true);
}

const METHODS: &[&str] = &["redirect-to-browser", "email-confirmation", "sms-otp"];

pub(super) fn human_verification(members: &mut Members<'_, '_>, policy: &mut Policy) {
    if let Some(node) = members.object("humanVerification") {
        let mut members = members.of(node);
        let elements = members.elements("methods");
        policy.human.methods = elements.map(|elements| {
            let mut methods = Vec::new();
            for element in elements.into_iter().take(MOST) {
                let Some(text) = members.text_of(element) else { continue };
                if !METHODS.contains(&text) {
                    members.unknown_word(element, METHODS);
                }
                methods.push(Method::of_name(text));
            }
            methods
        });
        for element in members.elements("requiredFor").unwrap_or_default().into_iter().take(MOST) {
            let Some(text) = members.text_of(element) else { continue };
            policy.human.required_for.push(text.to_owned());
            if !is_permission(policy, text) {
                let message = format!("`{}` is no permission", shown(text));
                members
                    .report
                    .find(&a2wf009_unknown_verification::RULE, element, message)
                    .help("write a key such as checkout, without its group");
            }
        }
        members.text("note");
    }
    not_listed(members, policy);
}

/// Whether a name in `requiredFor` is a key of the standard or of this policy.
fn is_permission(policy: &Policy, name: &str) -> bool {
    let last = plain(name.rsplit('.').next().unwrap_or(name));
    let standard = Group::ALL.iter().any(|group| Key::new(*group, name).is_standard());
    standard || policy.permissions.keys().any(|key| plain(&key.name) == last)
}

/// Reports permissions that need a person by their own flag only.
fn not_listed(members: &mut Members<'_, '_>, policy: &Policy) {
    let flagged = policy.permissions.iter().filter(|(_, permission)| permission.human_verification);
    for (key, _) in flagged {
        let is_listed = policy
            .human
            .required_for
            .iter()
            .any(|listed| plain(listed.rsplit('.').next().unwrap_or(listed)) == plain(&key.name));
        let groups = members.node.get("permissions").and_then(|node| node.get(key.group.as_str()));
        if let (false, Some(node)) = (is_listed, groups.and_then(|group| group.get(&key.name))) {
            let message =
                format!("`{}` needs a person, and `requiredFor` does not list it", shown(&key.name));
            members
                .report
                .find(&a2wf010_verification_not_listed::RULE, Spot::Key(node), message)
                .help("add the key to `humanVerification.requiredFor`");
        }
    }
}

const RISKS: &[(&str, ())] = &[("minimal", ()), ("limited", ()), ("high", ()), ("unacceptable", ())];

pub(super) fn legal(members: &mut Members<'_, '_>, policy: &mut Policy) {
    let Some(node) = members.object("legal") else { return };
    let mut members = members.of(node);
    policy.terms = members.address("termsUrl");
    members.text("complianceNote");
    members.text("dataRetention");
    let Some(node) = members.object("euAiActCompliance") else { return };
    let mut members = members.of(node);
    policy.transparency_required = members.boolean("transparencyRequired").unwrap_or(false);
    policy.oversight_mandatory = members.boolean("humanOversightMandatory").unwrap_or(false);
    members.word("riskClassification", RISKS);
}

pub(super) fn discovery(members: &mut Members<'_, '_>) {
    let Some(node) = members.object("discovery") else { return };
    let mut members = members.of(node);
    for key in ["mcpEndpoint", "a2aAgentCard", "robotsTxt", "llmsTxt", "openApi"] {
        members.address(key);
    }
    members.boolean("schemaOrg");
}

pub(super) fn metadata(members: &mut Members<'_, '_>, policy: &mut Policy) {
    if let Some(node) = members.node.get("$schema") {
        members
            .report
            .find(&a2wf011_schema_at_top::RULE, Spot::Key(node), "`$schema` stands at the top of the policy")
            .help("move it into `metadata`");
    }
    let context = members.node.get("@context");
    if let Some(node) = context
        && !node
            .as_str()
            .is_some_and(|text| text.trim_end_matches('/').rsplit("//").next() == Some("schema.org"))
    {
        members
            .report
            .find(&a2wf013_other_context::RULE, node, "the context is not schema.org")
            .help("write \"https://schema.org\"");
    }
    let root = members.node;
    let Some(node) = members.object("metadata") else {
        if root.get("metadata").is_none() {
            no_date(members, root);
        }
        return;
    };
    let mut members = members.of(node);
    for key in ["$schema", "schemaVersion", "author"] {
        members.text(key);
    }
    policy.expires_at = members.date("expiresAt");
    members.date("generatedAt");
    members.date("lastUpdated");
    members.address("changelogUrl");
    if node.get("lastUpdated").is_none() {
        no_date(&mut members, node);
    }
}

fn no_date<'d>(members: &mut Members<'d, '_>, node: Node<'d>) {
    members
        .report
        .find(&a2wf014_no_date::RULE, node, "the policy does not say when it was last changed")
        .help("add `metadata.lastUpdated`, such as \"2026-06-04\"");
}

/// What extensions say of addresses.
const ADDRESSES: &[&str] = &["url", "endpoint", "action", "target"];

pub(super) fn extensions(members: &mut Members<'_, '_>, policy: &Policy) {
    let root = members.node;
    if let Some(search) = root.get("search") {
        let permission = policy.permissions.get(&Key::new(Group::Action, "search"));
        if permission.and_then(|permission| permission.allowed) != Some(true) {
            let message = "the policy describes its search and does not allow `action.search`";
            members
                .report
                .find(&a2wf015_search_without_permission::RULE, Spot::Key(search), message)
                .help("allow `action.search`, or remove `search`");
        }
    }
    let forms = root.get("forms").into_iter().flat_map(|forms| forms.elements().take(MOST));
    let described = root.get("search").into_iter().chain(forms);
    for node in described.filter(|node| node.kind() == Kind::Object) {
        let mut members = members.of(node);
        for key in ADDRESSES {
            members.address(key);
        }
    }
}
