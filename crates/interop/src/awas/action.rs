//! Reads one action of a catalogue.

use actions_manifest::Report;
use actions_manifest::document::{Kind, Node};
use serde_json::{Map, Value, json};
use url::Url;

use super::dialect::{Dialect, ID, INPUT_SCHEMA, METHOD, OUTPUT_SCHEMA, PARAMETERS, PLACE};
use super::parameter::{self, Parameter, unknown};
use super::read::{left_out, limits, missing, wrong};
use super::result::{self, Shown};
use super::rules::{
    awas005_invalid_address, awas009_alias, awas012_no_description, awas013_doubtful_effect, awas015_odd_id,
};
use crate::record::{Effect, RateLimit};

/// An action of a catalogue, as far as it can be used.
#[derive(Clone, Debug)]
pub(super) struct Action {
    pub(super) id: String,
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    /// The path or address, as it is written.
    pub(super) place: String,
    pub(super) method: String,
    /// Whether the document says that it is called in the page.
    pub(super) navigates: bool,
    pub(super) parameters: Vec<Parameter>,
    pub(super) input_schema: Option<Value>,
    pub(super) output_schema: Option<Value>,
    pub(super) shown: Option<Shown>,
    pub(super) effect: Effect,
    /// Whether it needs credentials; the catalogue decides if absent.
    pub(super) needs_auth: Option<bool>,
    /// The header that carries a key, if the document names one.
    pub(super) auth_header: Option<String>,
    /// Headers that the site wants.
    pub(super) headers: Map<String, Value>,
    /// Whether the site wants proof that the request comes from its page.
    pub(super) csrf: bool,
    pub(super) idempotency_header: Option<String>,
    pub(super) limits: Vec<RateLimit>,
    /// The statuses of success, if the document lists them.
    pub(super) success: Vec<u64>,
    /// What the document says of statuses of failure.
    pub(super) errors: Vec<(String, String)>,
    /// The kind of version 1.1, such as `search`.
    pub(super) kind: Option<String>,
    /// What else is worth showing to reviewers.
    pub(super) more: Map<String, Value>,
}

/// The methods that requests may have.
const METHODS: &[&str] = &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
/// The words of `sideEffect`.
const SIDE_EFFECTS: &[&str] = &["safe", "idempotent", "destructive"];
/// Members that are shown to reviewers as they are.
const SHOWN: &[&str] =
    &["conformanceLevel", "preconditions", "previewUrl", "dryRunSupported", "authScopes", "reversible"];

/// Reads an action, and reports what is wrong with it. None if it cannot be called.
pub(super) fn read(node: Node<'_>, dialect: Dialect, report: &mut Report) -> Option<Action> {
    let text = |key: &str| node.get(key).and_then(Node::as_str);
    let id = id(node, dialect, report)?;
    if text("name").is_none() {
        missing(node, "name", report).tolerated();
    }
    if text("description").is_none() {
        report
            .find(&awas012_no_description::RULE, node, format!("the action `{id}` is not described"))
            .help("add `description`");
    }
    let (method, navigates) = method(node, dialect, report)?;
    let place = place(node, dialect, report)?;
    let mut parameters = Vec::new();
    if let Some(listed) = PARAMETERS.of(node, dialect, report) {
        if listed.kind() != Kind::Array {
            wrong(listed, "an array", report);
        }
        parameters.extend(listed.elements().filter_map(|one| parameter::read(one, dialect, report)));
    }
    let mut schema = |member: &super::dialect::Member| {
        let found = member.of(node, dialect, report)?;
        if found.kind() != Kind::Object {
            wrong(found, "an object", report);
            return None;
        }
        Some(found.to_value())
    };
    let input_schema = schema(&INPUT_SCHEMA);
    let own_output = schema(&OUTPUT_SCHEMA);
    let output_schema = own_output.or_else(|| node.at("/outputs/schema").map(Node::to_value));
    let mut more = Map::new();
    for key in SHOWN {
        if let Some(value) = node.get(key) {
            more.insert((*key).to_owned(), value.to_value());
        }
    }
    let effect = effect(node, &method, report);
    Some(Action {
        name: text("name").map(str::to_owned),
        description: text("description").map(str::to_owned),
        place,
        navigates,
        parameters,
        input_schema,
        output_schema,
        shown: result::read(node, report),
        needs_auth: needs_auth(node),
        auth_header: auth_header(node),
        headers: headers(node),
        csrf: node.at("/security/csrfRequired").and_then(Node::as_bool) == Some(true),
        idempotency_header: idempotency_header(node),
        limits: limits(node, false, report),
        success: numbers(node.at("/outputs/success_codes")),
        errors: errors(node),
        kind: text("type").map(str::to_owned),
        effect,
        method,
        more,
        id,
    })
}

fn id(node: Node<'_>, dialect: Dialect, report: &mut Report) -> Option<String> {
    let found = ID.of(node, dialect, report);
    if let Some(found) = found {
        let Some(id) = found.as_str().filter(|id| !id.trim().is_empty()) else {
            wrong(found, "a string", report);
            return None;
        };
        let snake = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if dialect == Dialect::OneOne && !id.chars().all(snake) {
            report
                .find(&awas015_odd_id::RULE, found, format!("`{id}` is not an id of version 1.1"))
                .help("write lower-case letters, digits and `_`");
        }
        return Some(id.to_owned());
    }
    // Some catalogues name actions without giving them an id.
    let Some(name) = node.get("name").and_then(Node::as_str).filter(|name| !name.trim().is_empty()) else {
        left_out(node, "it has neither an id nor a name", report);
        return None;
    };
    report
        .find(&awas009_alias::RULE, node, format!("the action `{name}` has no `id`; its name stands for it"))
        .help("add `id`")
        .tolerated();
    Some(name.to_owned())
}

/// The method, and whether the action is called in the page.
fn method(node: Node<'_>, dialect: Dialect, report: &mut Report) -> Option<(String, bool)> {
    let Some(found) = METHOD.of(node, dialect, report) else {
        missing(node, METHOD.name(dialect), report).tolerated();
        return Some(("GET".to_owned(), false));
    };
    let Some(text) = found.as_str() else {
        wrong(found, "a string", report);
        return None;
    };
    let upper = text.to_ascii_uppercase();
    if upper == "NAVIGATE" {
        report
            .find(&awas009_alias::RULE, found, format!("`{text}` is not a method; the page is opened"))
            .help("write `GET`")
            .tolerated();
        return Some(("GET".to_owned(), true));
    }
    if !METHODS.contains(&upper.as_str()) {
        unknown(found, text, "a method", report);
        left_out(node, "its method is not known", report);
        return None;
    }
    Some((upper, false))
}

fn place(node: Node<'_>, dialect: Dialect, report: &mut Report) -> Option<String> {
    let Some(found) = PLACE.of(node, dialect, report) else {
        missing(node, PLACE.name(dialect), report).tolerated();
        left_out(node, "it does not say where it is", report);
        return None;
    };
    let Some(text) = found.as_str().filter(|text| !text.trim().is_empty()) else {
        wrong(found, "a path", report);
        return None;
    };
    let other = Url::parse(text).ok().filter(|url| !matches!(url.scheme(), "http" | "https"));
    if let Some(url) = other {
        report
            .find(
                &awas005_invalid_address::RULE,
                found,
                format!("`{}` is not an address of the web", url.scheme()),
            )
            .help("write a path, or an http address")
            .tolerated();
        left_out(node, "its address is not of the web", report);
        return None;
    }
    Some(text.to_owned())
}

/// What the action does to the site: what anything says that is worse than reading counts.
fn effect(node: Node<'_>, method: &str, report: &mut Report) -> Effect {
    let reads = matches!(method, "GET" | "HEAD");
    let side_effect = node.get("sideEffect");
    let word = side_effect.and_then(Node::as_str);
    match side_effect {
        Some(found) if found.as_bool().is_some() => {
            wrong(found, "one of safe, idempotent and destructive", report)
        }
        Some(found) => match word {
            None => wrong(found, "a string", report),
            Some(word) if !SIDE_EFFECTS.contains(&word) => unknown(found, word, "a side effect", report),
            Some("safe") if !reads => {
                report
                    .find(
                        &awas013_doubtful_effect::RULE,
                        found,
                        format!("a {method} is not believed to be safe"),
                    )
                    .help("write `idempotent` or `destructive`");
            }
            Some(_) => {}
        },
        None => {}
    }
    let intent = node.get("intent").and_then(Node::as_str);
    let changes_state = node.get("type").and_then(Node::as_str) == Some("state_change");
    let says_change = side_effect.and_then(Node::as_bool) == Some(true)
        || matches!(word, Some("idempotent")) && !reads
        || matches!(intent, Some("write" | "execute"))
        || node.get("side_effects").is_some_and(|effects| effects.elements().len() > 0);
    if word == Some("destructive") || intent == Some("delete") || method == "DELETE" {
        return Effect::Destructive;
    }
    match reads && !says_change && !changes_state {
        true => Effect::Read,
        false => Effect::Write,
    }
}

fn needs_auth(node: Node<'_>) -> Option<bool> {
    let words = ["authentication_required", "auth_required"];
    let flag = words.iter().find_map(|key| node.get(key)?.as_bool());
    let block = node.at("/authentication/required").and_then(Node::as_bool);
    let auth = node.get("auth").map(|auth| auth.get("type").and_then(Node::as_str) != Some("none"));
    let scopes = node.get("authScopes").map(|scopes| scopes.elements().len() > 0);
    flag.or(block).or(auth).or(scopes.filter(|needs| *needs))
}

fn auth_header(node: Node<'_>) -> Option<String> {
    let named = node.at("/auth/headerName").or_else(|| node.at("/auth_headers/0")).and_then(Node::as_str)?;
    let plain =
        (1..=64).contains(&named.len()) && named.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    (plain && !named.eq_ignore_ascii_case("authorization")).then(|| named.to_owned())
}

/// Headers with a fixed value that the site wants. Headers that only the caller could fill are not invented.
fn headers(node: Node<'_>) -> Map<String, Value> {
    let wanted = node.at("/security/requiredHeaders").into_iter().flat_map(Node::elements).take(20);
    let pair = |one: Node<'_>| {
        let named = one.get("name").and_then(Node::as_str).zip(one.get("value").and_then(Node::as_str));
        let written = || one.as_str()?.split_once(':').map(|(name, value)| (name.trim(), value.trim()));
        let (name, value) = named.or_else(written)?;
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') && !name.is_empty();
        let is_ours =
            ["authorization", "cookie", "host", "user-agent"].contains(&name.to_ascii_lowercase().as_str());
        (is_plain && !is_ours).then(|| (name.to_owned(), json!(value)))
    };
    wanted.filter_map(pair).collect()
}

fn idempotency_header(node: Node<'_>) -> Option<String> {
    let supported = node.get("idempotencyKeySupported").and_then(Node::as_bool) == Some(true);
    let named = node.get("idempotencyKeyHeader").and_then(Node::as_str).unwrap_or("Idempotency-Key");
    let plain =
        (1..=64).contains(&named.len()) && named.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    (supported && plain).then(|| named.to_owned())
}

fn numbers(node: Option<Node<'_>>) -> Vec<u64> {
    let listed = node.into_iter().flat_map(Node::elements).filter_map(|one| one.as_number()?.as_u64());
    listed.filter(|status| (100..600).contains(status)).take(50).collect()
}

fn errors(node: Node<'_>) -> Vec<(String, String)> {
    let listed = node.at("/outputs/error_codes").into_iter().flat_map(Node::members).take(50);
    listed.filter_map(|(status, text)| Some((status.to_owned(), text.as_str()?.to_owned()))).collect()
}
