//! Checks a discovery document: every finding has a rule and a place.

use std::collections::BTreeSet;

use actions_manifest::document::{Document, Kind, Node};
use actions_manifest::{Finding, Profile, Report, Rule, read_document};
use url::Url;

use super::command::{TYPES, Trigger};
use super::discovery::MOST_COMMANDS;
use super::permission::PERMISSIONS;
use super::rules::{
    wab001_missing_member, wab002_wrong_type, wab003_unsupported_version, wab004_unfit_name,
    wab005_duplicate_command, wab006_unknown_word, wab007_not_a_country, wab008_out_of_range,
    wab009_no_transport, wab010_transport_without_place, wab011_not_an_address, wab012_other_dialect,
    wab013_needs_more, wab014_not_described, wab015_trust_envelope, wab016_foreign_place,
    wab017_too_many_commands, wab018_unknown_permission, wab019_insecure_place,
};
use super::transports;
use crate::document::{Refused, Site};

/// The tiers of a site.
const TIERS: [&str; 4] = ["free", "starter", "pro", "enterprise"];

/// Members that published bridges use, and what the protocol calls them.
const ALIASES: &[(&str, &str)] = &[
    ("site", "provider"),
    ("actions", "capabilities.commands"),
    ("commands", "capabilities.commands"),
    ("agent_permissions", "capabilities.permissions"),
    ("rate_limits", "security.max_rate"),
    ("endpoints", "transport.http"),
    ("endpoint", "transport.http"),
];

/// Checks a discovery document. It comes with the findings if it can be read at all and none of them is an error.
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
    if root.kind() != Kind::Object {
        return wrong(root, "an object", report);
    }
    if root.get("payload").is_some() && root.get("signature").is_some() && root.get("capabilities").is_none()
    {
        let message = "this is a signed statement about trust, which has no capabilities";
        report
            .find(&wab015_trust_envelope::RULE, root, message)
            .help("publish the discovery document itself");
        return;
    }
    version(root, report);
    let dialect = aliases(root, report);
    provider(root, dialect, report);
    capabilities(root, dialect, report);
    access(root, report);
    transport(root, dialect, report);
    security(root, report);
    for key in ["commission_rate", "direct_benefit"] {
        root.get("fairness_metrics")
            .and_then(|metrics| metrics.get(key))
            .into_iter()
            .for_each(|node| text(node, report));
    }
    let signatures = root.get("trust_signatures").filter(|node| is(*node, Kind::Array, "an array", report));
    signatures.into_iter().flat_map(Node::elements).for_each(|node| text(node, report));
}

fn version(root: Node<'_>, report: &mut Report) {
    let Some(node) = root.get("wab_version") else { return missing(root, "wab_version", report) };
    let Some(version) = node.as_str() else { return wrong(node, "a string", report) };
    if version != "1.0" {
        let message = format!("the version is `{version}`; 1.0 is known");
        let draft = report.find(&wab003_unsupported_version::RULE, node, message).help("write `\"1.0\"`");
        if version == "1" || version.starts_with("1.") {
            draft.tolerated();
        }
    }
}

/// Reports members of other dialects. Whether there are some.
fn aliases(root: Node<'_>, report: &mut Report) -> bool {
    let mut found = false;
    for (alias, meant) in ALIASES {
        // Our own bridge repeats its commands below `actions`, for clients of another dialect.
        let repeats = *alias == "actions" && root.at("/capabilities/commands").is_some();
        let Some(node) = root.get(alias).filter(|_| !repeats) else { continue };
        found = true;
        report
            .find(&wab012_other_dialect::RULE, node, format!("`{alias}` is not a member of the protocol"))
            .help(format!("write `{meant}`"))
            .tolerated();
    }
    let listed = root.at("/capabilities/transport").filter(|node| node.kind() == Kind::Array);
    if let Some(node) = listed {
        found = true;
        report
            .find(&wab012_other_dialect::RULE, node, "the transports stand below `capabilities`, as a list")
            .help("write `transport`, an object beside `capabilities`")
            .tolerated();
    }
    found
}

fn provider(root: Node<'_>, dialect: bool, report: &mut Report) {
    let Some(provider) = root.get("provider") else {
        return lacking(root, "provider", dialect && root.get("site").is_some(), report);
    };
    if !is(provider, Kind::Object, "an object", report) {
        return;
    }
    for key in ["name", "category", "url"] {
        match provider.get(key) {
            Some(node) => filled(node, report),
            None => lacking(provider, key, true, report),
        }
    }
    address(provider.get("url"), report);
    let Some(location) = provider.get("location").filter(|node| is(*node, Kind::Object, "an object", report))
    else {
        return;
    };
    location.get("city").into_iter().for_each(|node| text(node, report));
    flag(location.get("support_local"), report);
    let country = location.get("country").filter(|node| is(*node, Kind::String, "a string", report));
    let is_code = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    if let Some(node) = country.filter(|node| !node.as_str().is_some_and(is_code)) {
        let message = format!("`{}` is not the code of a country", node.as_str().unwrap_or_default());
        report.find(&wab007_not_a_country::RULE, node, message).help("write two capital letters").tolerated();
    }
}

fn capabilities(root: Node<'_>, dialect: bool, report: &mut Report) {
    let Some(capabilities) = root.get("capabilities") else {
        return lacking(root, "capabilities", dialect, report);
    };
    if !is(capabilities, Kind::Object, "an object", report) {
        return;
    }
    let permissions = capabilities.get("permissions");
    match permissions {
        None => lacking(capabilities, "permissions", dialect, report),
        Some(node) if is(node, Kind::Object, "an object", report) => {
            for (name, granted) in node.members() {
                flag(Some(granted), report);
                if !PERMISSIONS.contains(&name) {
                    let message = format!("`{name}` is not a permission of the protocol");
                    report
                        .find(&wab018_unknown_permission::RULE, granted, message)
                        .help(PERMISSIONS.join(", "));
                }
            }
        }
        Some(_) => {}
    }
    word(capabilities.get("tier"), &TIERS, report);
    let Some(commands) = capabilities.get("commands") else {
        return lacking(capabilities, "commands", dialect, report);
    };
    if !is(commands, Kind::Array, "an array", report) {
        return;
    }
    if commands.elements().len() > MOST_COMMANDS {
        let message = format!("there are {} commands", commands.elements().len());
        report.find(&wab017_too_many_commands::RULE, commands, message).help("at most 1,000 are read");
        return;
    }
    let granted = |permission: &str| {
        permissions.and_then(|node| node.get(permission)).and_then(Node::as_bool).unwrap_or(false)
    };
    let mut names = BTreeSet::new();
    for node in commands.elements() {
        command(node, report);
        let Some(name) = node.get("name").and_then(Node::as_str) else { continue };
        if !names.insert(name) {
            let at = node.get("name").unwrap_or(node);
            let message = format!("another command is called `{name}`");
            report.find(&wab005_duplicate_command::RULE, at, message).help("give one of them another name");
        }
        let trigger = node.get("trigger").and_then(Node::as_str).and_then(Trigger::of_word);
        if let Some(needed) = trigger.map(Trigger::permission).filter(|needed| !granted(needed)) {
            report
                .find(
                    &wab013_needs_more::RULE,
                    node,
                    format!("`{name}` needs `{needed}`, which is not granted"),
                )
                .help("the permission wins: agents do not offer the command");
        }
    }
}

fn command(node: Node<'_>, report: &mut Report) {
    if node.kind() == Kind::String {
        let name = node.as_str().unwrap_or_default();
        report
            .find(&wab014_not_described::RULE, node, format!("`{name}` is named, and not described"))
            .help("describe it: `{ \"name\", \"description\", \"trigger\", \"params\" }`")
            .tolerated();
        return;
    }
    if !is(node, Kind::Object, "an object", report) {
        return;
    }
    match node.get("name") {
        None => missing(node, "name", report),
        Some(name) if is(name, Kind::String, "a string", report) => {
            let text = name.as_str().unwrap_or_default();
            if !is_name(text) {
                report
                    .find(&wab004_unfit_name::RULE, name, format!("`{text}` is not a name of a command"))
                    .help("begin with a letter, and use only letters, digits, `-` and `_`")
                    .tolerated();
            }
        }
        Some(_) => {}
    }
    match node.get("description") {
        None => lacking(node, "description", true, report),
        Some(text) => filled(text, report),
    }
    match node.get("trigger") {
        None => lacking(node, "trigger", true, report),
        trigger => {
            let words: Vec<&str> = Trigger::ALL.iter().map(|(_, word, _)| *word).collect();
            word(trigger, &words, report);
        }
    }
    flag(node.get("requiresAuth"), report);
    let params = node.get("params");
    if let (None, Some(fields)) = (params, node.get("fields")) {
        report
            .find(&wab012_other_dialect::RULE, fields, "`fields` is not a member of the protocol")
            .help("write `params`")
            .tolerated();
    } else if params.is_none() {
        lacking(node, "params", true, report);
    }
    let params = params.filter(|params| is(*params, Kind::Array, "an array", report));
    for parameter in params.into_iter().flat_map(Node::elements) {
        if !is(parameter, Kind::Object, "an object", report) {
            continue;
        }
        match parameter.get("name") {
            None => missing(parameter, "name", report),
            Some(name) => text(name, report),
        }
        match parameter.get("type") {
            None => lacking(parameter, "type", true, report),
            kind => word(kind, &TYPES, report),
        }
        match parameter.get("required") {
            None => lacking(parameter, "required", true, report),
            required => flag(required, report),
        }
        parameter.get("description").into_iter().for_each(|node| text(node, report));
        if let Some(node) = parameter.get("enum") {
            is(node, Kind::Array, "an array", report);
        }
    }
}

fn access(root: Node<'_>, report: &mut Report) {
    let Some(access) = root.get("agent_access").filter(|node| is(*node, Kind::Object, "an object", report))
    else {
        return;
    };
    access.get("preferred_entry_point").into_iter().for_each(|node| text(node, report));
    address(access.get("api_fallback"), report);
    let selectors = access.get("selectors").filter(|node| is(*node, Kind::Object, "an object", report));
    selectors.into_iter().flat_map(Node::members).for_each(|(_, selector)| text(selector, report));
}

fn transport(root: Node<'_>, dialect: bool, report: &mut Report) {
    let Some(transport) = root.get("transport") else { return lacking(root, "transport", dialect, report) };
    if !is(transport, Kind::Object, "an object", report) {
        return;
    }
    let site =
        root.at("/provider/url").and_then(Node::as_str).and_then(|url| Site::at(Url::parse(url).ok()?));
    let needs_session = root
        .at("/capabilities/commands")
        .into_iter()
        .flat_map(Node::elements)
        .any(|command| command.get("requiresAuth").and_then(Node::as_bool) == Some(true));
    let mut any = false;
    for (name, place) in [("js_global", None), ("websocket", Some("url")), ("http", Some("base_url"))] {
        let Some(one) = transport.get(name).filter(|node| is(*node, Kind::Object, "an object", report))
        else {
            continue;
        };
        flag(one.get("enabled"), report);
        one.get("interface").into_iter().for_each(|node| text(node, report));
        let enabled = one.get("enabled").and_then(Node::as_bool) == Some(true);
        any |= enabled;
        let Some(key) = place else { continue };
        match one.get(key) {
            None if enabled => {
                report
                    .find(
                        &wab010_transport_without_place::RULE,
                        one,
                        format!("`{name}` is enabled and has no `{key}`"),
                    )
                    .help(format!("add `\"{key}\"`"))
                    .tolerated();
            }
            None => {}
            Some(node) => {
                text(node, report);
                if name == "websocket" {
                    address(Some(node), report);
                }
                if let (true, Some(site), Some(text)) = (enabled, &site, node.as_str()) {
                    reachable(site, node, text, needs_session, report);
                }
            }
        }
    }
    if !any {
        report
            .find(&wab009_no_transport::RULE, transport, "no transport is enabled")
            .help("enable one: `\"http\": { \"enabled\": true, \"base_url\": \"/api/wab\" }`");
    }
}

/// Reports a place that agents will not use.
fn reachable(site: &Site, node: Node<'_>, place: &str, needs_session: bool, report: &mut Report) {
    match transports::resolve(site, place) {
        Err(Refused::Foreign(host)) => {
            report
                .find(&wab016_foreign_place::RULE, node, format!("`{host}` is not part of the site"))
                .help("agents leave this transport out");
        }
        Ok(address) if needs_session && !super::agent::is_secure(&address) => {
            report
                .find(
                    &wab019_insecure_place::RULE,
                    node,
                    "commands need a session, and this place has no TLS",
                )
                .help("write `https://` or `wss://`");
        }
        Ok(_) | Err(Refused::Unreadable) => {}
    }
}

fn security(root: Node<'_>, report: &mut Report) {
    let Some(security) = root.get("security").filter(|node| is(*node, Kind::Object, "an object", report))
    else {
        return;
    };
    flag(security.get("require_origin_match"), report);
    for (key, least) in [("session_ttl", 60), ("max_rate", 1)] {
        let Some(node) = security.get(key) else { continue };
        let Some(number) = node.as_number().and_then(|number| number.as_i64()) else {
            wrong(node, "a whole number", report);
            continue;
        };
        if number < least {
            let message = format!("`{key}` is {number}, which is less than {least}");
            report
                .find(&wab008_out_of_range::RULE, node, message)
                .help(format!("write {least} or more"))
                .tolerated();
        }
    }
}

fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(fits)
}

fn missing(owner: Node<'_>, key: &str, report: &mut Report) {
    lacking(owner, key, false, report);
}

/// Reports a member that is not there; documents of other dialects may be without it.
fn lacking(owner: Node<'_>, key: &str, tolerated: bool, report: &mut Report) {
    static RULE: &Rule = &wab001_missing_member::RULE;
    let draft = report.find(RULE, owner, format!("there is no `{key}`")).help(format!("add `\"{key}\"`"));
    if tolerated {
        draft.tolerated();
    }
}

fn wrong(node: Node<'_>, wanted: &str, report: &mut Report) {
    let key = node.key().unwrap_or("the value");
    let message = format!("`{key}` is {}, not {wanted}", node.kind().with_article());
    report.find(&wab002_wrong_type::RULE, node, message).help(format!("write {wanted}"));
}

fn is(node: Node<'_>, kind: Kind, wanted: &str, report: &mut Report) -> bool {
    let fits = node.kind() == kind;
    if !fits {
        wrong(node, wanted, report);
    }
    fits
}

fn text(node: Node<'_>, report: &mut Report) {
    is(node, Kind::String, "a string", report);
}

/// A text with at least one character.
fn filled(node: Node<'_>, report: &mut Report) {
    if is(node, Kind::String, "a string", report) && node.as_str() == Some("") {
        let message = format!("`{}` is empty", node.key().unwrap_or("the value"));
        report.find(&wab004_unfit_name::RULE, node, message).help("write at least one character").tolerated();
    }
}

fn flag(node: Option<Node<'_>>, report: &mut Report) {
    if let Some(node) = node {
        is(node, Kind::Bool, "a boolean", report);
    }
}

fn word(node: Option<Node<'_>>, words: &[&str], report: &mut Report) {
    let Some(node) = node.filter(|node| is(*node, Kind::String, "a string", report)) else { return };
    let text = node.as_str().unwrap_or_default();
    if !words.contains(&text) {
        let message = format!("`{text}` is not a word of the protocol");
        report.find(&wab006_unknown_word::RULE, node, message).help(words.join(", ")).tolerated();
    }
}

fn address(node: Option<Node<'_>>, report: &mut Report) {
    let Some(node) = node else { return };
    let Some(text) = node.as_str() else { return wrong(node, "a string", report) };
    if Url::parse(text).is_err() {
        let message = format!("`{text}` is not a whole address");
        report
            .find(&wab011_not_an_address::RULE, node, message)
            .help("write the scheme and the host too")
            .tolerated();
    }
}
