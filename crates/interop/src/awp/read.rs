//! Checks an `agent.json`: every finding has a rule and a place.

use std::collections::BTreeSet;

use actions_manifest::document::{Document, Kind, Node};
use actions_manifest::{Finding, Profile, Report, Rule, read_document};

use super::endpoint::site_of;
use super::rules::{
    awp001_missing_member, awp002_wrong_type, awp003_action_without_id, awp004_nowhere_to_call,
    awp005_duplicate_id, awp006_undeclared_protocol, awp007_protocol_without_version, awp008_unusual_word,
    awp009_incomplete_action, awp010_unknown_type, awp011_unknown_version, awp012_odd_domain,
    awp013_foreign_endpoint, awp014_unknown_action, awp015_vague_recovery, awp016_unreadable_limit,
    awp017_synthetic, awp018_too_many_actions,
};
use super::{errors, types};
use crate::document::Refused;
use crate::limits::Limit;

/// The most actions of a document.
const MOST_ACTIONS: usize = 1_000;
/// The methods that the protocol lists.
const METHODS: &[&str] = &["GET", "POST", "PUT", "DELETE", "PATCH"];
/// The protocols that it registers, and whether an entry is about payment alone.
const PROTOCOLS: &[(&str, bool)] = &[
    ("a2a", false),
    ("mcp", false),
    ("acp", false),
    ("ap2", true),
    ("x402", true),
    ("skyfire", true),
    ("openapi", false),
    ("graphql", false),
    ("payment", true),
];
/// The kinds of authentication.
const AUTH_TYPES: &[&str] = &["oauth2", "api_key", "bearer", "none"];

/// Whether a protocol is about payment alone.
pub(super) fn is_payment(protocol: &str) -> bool {
    PROTOCOLS.iter().any(|(known, payment)| *known == protocol && *payment)
}

/// Checks an `agent.json`. The document comes with the findings if it can be read at all; it can be used if none of them is
/// an error.
pub fn check(name: &str, bytes: &[u8], profile: Profile) -> (Option<Document>, Vec<Finding>) {
    let mut report = Report::new(profile);
    let document = read_document(name, bytes, &mut report);
    if let Some(document) = &document {
        root(document.root(), &mut report);
    }
    let usable = !report.has_errors();
    (document.filter(|_| usable), report.into_list())
}

fn root(root: Node<'_>, report: &mut Report) {
    for key in ["awp_version", "domain", "intent"] {
        match root.get(key) {
            None => missing(&awp001_missing_member::RULE, root, key, report),
            Some(value) => text(value, report),
        }
    }
    version(root, report);
    domain(root, report);
    for key in [
        "auth",
        "errors",
        "entities",
        "protocols",
        "dependencies",
        "capabilities",
        "agent_hints",
        "agent_status",
    ] {
        if let Some(value) = root.get(key) {
            object(value, report);
        }
    }
    protocols(root, report);
    let ids = actions(root, report);
    auth(root, &ids, report);
    references(root, &ids, report);
    recoveries(root, report);
    synthetic(root, report);
}

fn version(root: Node<'_>, report: &mut Report) {
    let Some(version) = root.get("awp_version") else { return };
    let Some(text) = version.as_str() else { return };
    if text.split('.').next() != Some("0") {
        report
            .find(&awp011_unknown_version::RULE, version, format!("the version is `{text}`; 0.x is known"))
            .help("what is understood is used, and the rest is passed over");
    }
}

fn domain(root: Node<'_>, report: &mut Report) {
    let Some(node) = root.get("domain") else { return };
    let odd = node.as_str().is_some_and(|domain| domain.contains([':', '/']) || domain.trim().is_empty());
    if odd {
        report
            .find(&awp012_odd_domain::RULE, node, "`domain` is more than a host")
            .help("write the host alone");
    }
}

fn protocols(root: Node<'_>, report: &mut Report) {
    let used: BTreeSet<&str> = root
        .get("actions")
        .into_iter()
        .flat_map(Node::elements)
        .filter_map(|action| action.get("via")?.as_str())
        .collect();
    for (name, entry) in root.get("protocols").into_iter().flat_map(Node::members) {
        if !object(entry, report) {
            continue;
        }
        if entry.get("version").and_then(Node::as_str).is_none() {
            let message = format!("the protocol `{name}` has no `version`");
            let draft = report.find(&awp007_protocol_without_version::RULE, entry, message);
            let draft = draft.help("add `\"version\"`, as a string");
            if is_payment(name) || !used.contains(name) {
                draft.tolerated();
            }
        }
        if !name.starts_with("x-") && !PROTOCOLS.iter().any(|(known, _)| *known == name) {
            report
                .find(&awp008_unusual_word::RULE, entry, format!("`{name}` is no registered protocol"))
                .help("begin a name of your own with `x-`");
        }
    }
}

/// Checks the actions, and returns their ids.
fn actions<'d>(root: Node<'d>, report: &mut Report) -> BTreeSet<&'d str> {
    let mut ids = BTreeSet::new();
    let Some(actions) = root.get("actions") else {
        missing(&awp001_missing_member::RULE, root, "actions", report);
        return ids;
    };
    if actions.kind() != Kind::Array {
        wrong(actions, "an array", report);
        return ids;
    }
    if actions.elements().len() > MOST_ACTIONS {
        let message = format!("there are {} actions", actions.elements().len());
        report.find(&awp018_too_many_actions::RULE, actions, message).help("at most 1,000 are read");
        return ids;
    }
    if actions.elements().len() == 0 {
        report
            .find(&awp008_unusual_word::RULE, actions, "there are no actions")
            .help("declare at least one action");
    }
    for action in actions.elements() {
        if !object(action, report) {
            continue;
        }
        match action.get("id").map(|id| (id, id.as_str())) {
            None => {
                report
                    .find(&awp003_action_without_id::RULE, action, "the action has no `id`")
                    .help("add `\"id\"`");
            }
            Some((node, None)) => wrong(node, "a string", report),
            Some((node, Some(id))) => {
                if !ids.insert(id) {
                    report
                        .find(&awp005_duplicate_id::RULE, node, format!("another action has the id `{id}`"))
                        .help("give one of them another id");
                }
            }
        }
        self::action(root, action, report);
    }
    ids
}

fn action(root: Node<'_>, action: Node<'_>, report: &mut Report) {
    for key in ["endpoint", "method", "description", "via", "operation", "poll_endpoint", "sensitivity"] {
        if let Some(value) = action.get(key) {
            text(value, report);
        }
    }
    for key in ["auth_required", "requires_human_confirmation", "reversible"] {
        if let Some(value) = action.get(key).filter(|value| value.kind() != Kind::Bool) {
            wrong(value, "a boolean", report);
        }
    }
    match (action.get("via").and_then(Node::as_str), action.get("endpoint"), action.get("method")) {
        (Some(via), _, _) => {
            if root.get("protocols").and_then(|protocols| protocols.get(via)).is_none() {
                let at = action.get("via").unwrap_or(action);
                report
                    .find(&awp006_undeclared_protocol::RULE, at, format!("no protocol `{via}` is declared"))
                    .help(format!("declare it: `\"protocols\": {{ \"{via}\": {{ … }} }}`"));
            }
        }
        (None, Some(_), Some(_)) => {}
        (None, _, _) => {
            report
                .find(
                    &awp004_nowhere_to_call::RULE,
                    action,
                    "the action says neither where nor through what it is called",
                )
                .help("add `endpoint` and `method`, or `via`");
        }
    }
    if let Some(method) =
        action.get("method").filter(|method| method.as_str().is_some_and(|m| !METHODS.contains(&m)))
    {
        let message = format!("`{}` is not a method of the protocol", method.as_str().unwrap_or_default());
        report.find(&awp008_unusual_word::RULE, method, message).help(METHODS.join(", "));
    }
    let endpoint = action.get("endpoint");
    if let Some(node) = endpoint
        && let Some(text) = node.as_str()
        && let Some(site) = site_of(root, None)
        && let Err(Refused::Foreign(host)) = site.resolve(text)
    {
        report
            .find(&awp013_foreign_endpoint::RULE, node, format!("`{host}` is not covered by the domain"))
            .help("the action is left out");
    }
    let lacking: Vec<&str> = ["description", "auth_required", "inputs", "outputs"]
        .into_iter()
        .filter(|key| action.get(key).is_none())
        .collect();
    if !lacking.is_empty() {
        let listed = lacking.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        report
            .find(&awp009_incomplete_action::RULE, action, format!("the action has no {listed}"))
            .help("add what is missing")
            .tolerated();
    }
    let limit = action.get("rate_limit").filter(|limit| limit.as_str().and_then(Limit::parse).is_none());
    if let Some(limit) = limit {
        report
            .find(&awp016_unreadable_limit::RULE, limit, "the rate limit cannot be read")
            .help("write a number, `/` and a unit of time: `30/minute`");
    }
    for (_, input) in action.get("inputs").into_iter().flat_map(Node::members) {
        match input.kind() {
            Kind::Object | Kind::String => types::check(root, input.get("type").unwrap_or(input), report),
            _ => wrong(input, "an object with a `type`", report),
        }
    }
    for (_, output) in action.get("outputs").into_iter().flat_map(Node::members) {
        types::check(root, output.get("type").unwrap_or(output), report);
    }
}

fn auth(root: Node<'_>, ids: &BTreeSet<&str>, report: &mut Report) {
    let Some(auth) = root.get("auth") else { return };
    let kind = auth.get("type").filter(|kind| kind.as_str().is_some_and(|kind| !AUTH_TYPES.contains(&kind)));
    if let Some(kind) = kind {
        let message = format!("`{}` is not a kind of authentication", kind.as_str().unwrap_or_default());
        report.find(&awp008_unusual_word::RULE, kind, message).help(AUTH_TYPES.join(", "));
    }
    for key in ["required_for", "optional_for"] {
        known(auth.get(key).into_iter().flat_map(Node::elements), ids, report);
    }
}

fn references(root: Node<'_>, ids: &BTreeSet<&str>, report: &mut Report) {
    for (dependent, needs) in root.get("dependencies").into_iter().flat_map(Node::members) {
        if !ids.contains(dependent) {
            unknown(needs, dependent, report);
        }
        known(needs.elements(), ids, report);
    }
    let status = root.get("agent_status");
    known(
        status.and_then(|status| status.get("degraded_actions")).into_iter().flat_map(Node::elements),
        ids,
        report,
    );
}

fn known<'d>(names: impl Iterator<Item = Node<'d>>, ids: &BTreeSet<&str>, report: &mut Report) {
    for node in names {
        match node.as_str() {
            None => wrong(node, "the id of an action", report),
            Some(name) if !ids.contains(name) => unknown(node, name, report),
            Some(_) => {}
        }
    }
}

fn unknown(node: Node<'_>, name: &str, report: &mut Report) {
    report
        .find(&awp014_unknown_action::RULE, node, format!("there is no action `{name}`"))
        .help("name the id of an action");
}

fn recoveries(root: Node<'_>, report: &mut Report) {
    for (code, error) in root.get("errors").into_iter().flat_map(Node::members) {
        let recovery = error.get("recovery");
        if recovery.and_then(Node::as_str).is_none_or(|text| !errors::is_actionable(text)) {
            report
                .find(
                    &awp015_vague_recovery::RULE,
                    recovery.unwrap_or(error),
                    format!("`{code}` does not say what a machine can do"),
                )
                .help("name an endpoint, an action, or how long to wait");
        }
    }
}

fn synthetic(root: Node<'_>, report: &mut Report) {
    let Some(source) = root.get("source").filter(|source| source.as_str() == Some("synthetic")) else {
        return;
    };
    let lacking =
        ["generated_by", "confidence", "last_verified"].into_iter().filter(|key| root.get(key).is_none());
    let lacking: Vec<&str> = lacking.collect();
    let rest =
        if lacking.is_empty() { String::new() } else { format!(" and does not say {}", lacking.join(", ")) };
    report
        .find(
            &awp017_synthetic::RULE,
            source,
            format!("an intermediary made this document, not the site{rest}"),
        )
        .help("use it only if you trust the intermediary: `--allow-synthetic`");
}

fn missing(rule: &'static Rule, owner: Node<'_>, key: &str, report: &mut Report) {
    report.find(rule, owner, format!("there is no `{key}`")).help(format!("add `\"{key}\"`"));
}

pub(super) fn wrong(node: Node<'_>, wanted: &str, report: &mut Report) {
    let key = node.key().unwrap_or("the value");
    let message = format!("`{key}` is {}, not {wanted}", node.kind().with_article());
    report.find(&awp002_wrong_type::RULE, node, message).help(format!("write {wanted}"));
}

fn text(node: Node<'_>, report: &mut Report) {
    if node.as_str().is_none() {
        wrong(node, "a string", report);
    }
}

fn object(node: Node<'_>, report: &mut Report) -> bool {
    let is_object = node.kind() == Kind::Object;
    if !is_object {
        wrong(node, "an object", report);
    }
    is_object
}

/// The rule about types, for the reader of types.
pub(super) fn unknown_type(node: Node<'_>, word: &str, report: &mut Report) {
    report
        .find(
            &awp010_unknown_type::RULE,
            node,
            format!("`{word}` is neither a type nor an entity of this document"),
        )
        .help("it is read as `string`");
}
