//! Checks a catalogue of actions, and reads it: every finding has a rule and a place.

use std::collections::BTreeSet;

use actions_manifest::document::{Document, Kind, Node};
use actions_manifest::{Draft, Finding, Profile, Report, read_document};
use url::Url;

use super::action::{self, Action};
use super::dialect::{CATALOGUE, Dialect, SITE_NAME, VERSION};
use super::rules::{
    awas001_missing_member, awas002_wrong_type, awas003_duplicate_id, awas005_invalid_address,
    awas006_unreadable_limit, awas010_unknown_dialect, awas011_action_left_out, awas014_too_many_actions,
    awas017_too_large,
};
use crate::record::RateLimit;

/// The most actions of a catalogue.
const MOST_ACTIONS: usize = 1_000;
/// The size that the specification recommends.
const RECOMMENDED_BYTES: usize = 100 * 1024;

/// A catalogue of actions, as far as it can be used.
#[derive(Debug)]
pub(super) struct Catalogue {
    pub(super) dialect: Dialect,
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    pub(super) base: Option<String>,
    pub(super) limits: Vec<RateLimit>,
    pub(super) actions: Vec<Action>,
    pub(super) needs_auth: bool,
    pub(super) optional_for: Vec<String>,
}

/// Checks a catalogue of actions. The document comes with the findings if it can be read at all; it can be used if none of
/// them is an error.
pub fn check(name: &str, bytes: &[u8], profile: Profile) -> (Option<Document>, Vec<Finding>) {
    let (catalogue, document, findings) = read(name, bytes, profile);
    (document.filter(|_| catalogue.is_some()), findings)
}

/// Reads a catalogue. It is none if a finding is an error.
pub(super) fn read(
    name: &str,
    bytes: &[u8],
    profile: Profile,
) -> (Option<Catalogue>, Option<Document>, Vec<Finding>) {
    let mut report = Report::new(profile);
    let document = read_document(name, bytes, &mut report);
    let catalogue = document.as_ref().and_then(|document| {
        if bytes.len() > RECOMMENDED_BYTES {
            let message = format!("the document has {} bytes", bytes.len());
            report
                .find(&awas017_too_large::RULE, document.root(), message)
                .help("publish the actions that agents need, with short descriptions");
        }
        root(document.root(), &mut report)
    });
    let usable = catalogue.filter(|_| !report.has_errors());
    (usable, document, report.into_list())
}

fn root(root: Node<'_>, report: &mut Report) -> Option<Catalogue> {
    let Some(dialect) = Dialect::of(root) else {
        report
            .find(
                &awas010_unknown_dialect::RULE,
                root,
                "the document is of no known version, and lists no actions",
            )
            .help("write `version` and `actions`");
        return None;
    };
    version(root, dialect, report);
    for (key, value) in
        [("name", SITE_NAME.of(root, dialect, report)), ("description", root.get("description"))]
    {
        match value {
            // Version 1.1 does not ask for them.
            None if dialect == Dialect::OneOne => {}
            None => drop(missing(root, key, report).tolerated()),
            Some(value) if value.as_str().is_none() => wrong(value, "a string", report),
            Some(_) => {}
        }
    }
    let base = root.get("baseUrl").filter(|base| {
        let good = base.as_str().is_some_and(is_web);
        if !good {
            report
                .find(&awas005_invalid_address::RULE, *base, "`baseUrl` is not an http address")
                .help("write an absolute address")
                .tolerated();
        }
        good
    });
    let auth = root.get("authentication");
    Some(Catalogue {
        dialect,
        name: SITE_NAME
            .of(root, dialect, &mut Report::new(Profile::Lenient))
            .and_then(Node::as_str)
            .map(str::to_owned),
        description: root.get("description").and_then(Node::as_str).map(str::to_owned),
        base: base.and_then(Node::as_str).map(str::to_owned),
        limits: limits(root, true, report),
        actions: actions(root, dialect, report),
        needs_auth: auth.and_then(|auth| auth.get("required")?.as_bool()) == Some(true),
        optional_for: auth
            .and_then(|auth| auth.get("optional_for"))
            .into_iter()
            .flat_map(Node::elements)
            .filter_map(|id| id.as_str().map(str::to_owned))
            .collect(),
    })
}

fn version(root: Node<'_>, dialect: Dialect, report: &mut Report) {
    let Some(version) = VERSION.of(root, dialect, report) else {
        missing(root, VERSION.name(dialect), report).tolerated();
        return;
    };
    let Some(text) = version.as_str() else {
        wrong(version, "a string", report);
        return;
    };
    if text.split('.').next() != Some("1") {
        report
            .find(&awas010_unknown_dialect::RULE, version, format!("version `{text}` is not read; 1.x is"))
            .help("the document may mean something else by the same names");
    }
}

fn actions(root: Node<'_>, dialect: Dialect, report: &mut Report) -> Vec<Action> {
    let Some(listed) = CATALOGUE.of(root, dialect, report) else {
        missing(root, "actions", report);
        return Vec::new();
    };
    if listed.kind() != Kind::Array {
        wrong(listed, "an array", report);
        return Vec::new();
    }
    if listed.elements().len() > MOST_ACTIONS {
        let message = format!("there are {} actions", listed.elements().len());
        report.find(&awas014_too_many_actions::RULE, listed, message).help("at most 1,000 are read");
        return Vec::new();
    }
    let mut ids = BTreeSet::new();
    let mut actions = Vec::new();
    for node in listed.elements() {
        if node.kind() != Kind::Object {
            wrong(node, "an object", report);
            continue;
        }
        let Some(action) = action::read(node, dialect, report) else { continue };
        if !ids.insert(action.id.clone()) {
            let message = format!("another action has the id `{}`", action.id);
            report.find(&awas003_duplicate_id::RULE, node, message).help("give one of them another id");
        }
        actions.push(action);
    }
    actions
}

/// The limits that an object declares, in the words of both dialects.
pub(super) fn limits(owner: Node<'_>, site: bool, report: &mut Report) -> Vec<RateLimit> {
    let mut limits = Vec::new();
    for key in ["rateLimit", "rateLimitHint"] {
        let Some(node) = owner.get(key) else { continue };
        let requests = node.get("requests").and_then(Node::as_number).and_then(|number| number.as_u64());
        let window = node.get("window").and_then(Node::as_str).and_then(window_ms);
        match (requests, window) {
            (Some(count @ 1..), Some(per_ms)) => {
                limits.push(RateLimit { site, count: count.min(1_000_000), per_ms });
            }
            _ => {
                report
                    .find(&awas006_unreadable_limit::RULE, node, "the limit cannot be read")
                    .help("write `requests` as a number, and `window` such as `30s`, `1m`, `1h` or `1d`")
                    .tolerated();
            }
        }
    }
    let rates = [("requests_per_minute", 60_000), ("requests_per_hour", 3_600_000)];
    for (key, per_ms) in rates {
        let rate = owner.get("rate_limits").and_then(|limits| limits.get(key)?.as_number()?.as_u64());
        limits.extend(rate.filter(|count| *count > 0).map(|count| RateLimit {
            site,
            count: count.min(1_000_000),
            per_ms,
        }));
    }
    limits
}

/// A window such as `1h`, in milliseconds.
fn window_ms(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let unit = match unit {
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return None,
    };
    let number: u64 = if number.is_empty() { 1 } else { number.parse().ok()? };
    number.checked_mul(unit).filter(|window| (1..=2_678_400_000).contains(window))
}

/// Whether a text is an http address.
pub(super) fn is_web(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.host_str().is_some())
}

pub(super) fn missing<'r>(owner: Node<'_>, key: &str, report: &'r mut Report) -> Draft<'r> {
    report
        .find(&awas001_missing_member::RULE, owner, format!("there is no `{key}`"))
        .help(format!("add `\"{key}\"`"))
}

pub(super) fn wrong(node: Node<'_>, wanted: &str, report: &mut Report) {
    let key = node.key().unwrap_or("the value");
    let message = format!("`{key}` is {}, not {wanted}", node.kind().with_article());
    report.find(&awas002_wrong_type::RULE, node, message).help(format!("write {wanted}")).tolerated();
}

pub(super) fn left_out(node: Node<'_>, why: &str, report: &mut Report) {
    report
        .find(&awas011_action_left_out::RULE, node, format!("the action is left out: {why}"))
        .help("add what is missing");
}
