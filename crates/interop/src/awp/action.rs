//! Translates one action of an `agent.json`.

use std::time::Duration;

use actions_manifest::document::Node;
use serde_json::{Map, Value, json};

use super::auth;
use super::read::is_payment;
use super::{errors, types};
use crate::document::{Refused, Site, names_in, slot};
use crate::limits::Limit;
use crate::record::{Confirm, Effect, ImportedAction, RateLimit, Standing, plain};

/// The longest time of an exchange that waits for work to end, in milliseconds.
const ASYNC_TIMEOUT_MS: u64 = 300_000;

/// What the document says beside the action itself.
pub(super) struct Around<'d> {
    pub(super) root: Node<'d>,
    pub(super) site: &'d Site,
    pub(super) synthetic: bool,
    pub(super) strict_results: bool,
}

/// Translates an action, with the address it is called at, or says why it cannot be called.
pub(super) fn translate(
    around: &Around<'_>,
    action: Node<'_>,
    id: &str,
) -> Result<(ImportedAction, String), String> {
    let root = around.root;
    let text = |key: &str| action.get(key).and_then(Node::as_str);
    let (endpoint, method) = place(around, action)?;
    let address = around.site.resolve(endpoint).map_err(|refused| match refused {
        Refused::Unreadable => format!("its endpoint `{}` cannot be read", plain(endpoint)),
        Refused::Foreign(host) => {
            format!(
                "its endpoint is at `{}`, which the domain does not cover (cross_origin_denied)",
                plain(&host)
            )
        }
    })?;
    let inputs = Inputs::of(root, action, &address);
    let mut args = Map::new();
    args.insert("method".to_owned(), json!(method));
    args.insert("url".to_owned(), json!(&address));
    inputs.place(&method, &mut args);
    args.insert("headers".to_owned(), json!({ "accept": "application/json" }));
    let refresh = root.get("auth").and_then(|auth| auth.get("refresh_endpoint")).and_then(Node::as_str);
    // A credential is renewed where the action is: other origins never see it.
    let renewed = refresh.and_then(|refresh| around.site.resolve(refresh).ok());
    if let Some(auth) = auth::argument(root, auth::need(root, action, id), renewed.as_deref()) {
        args.insert("auth".to_owned(), auth);
    }
    if let Some(idempotency) = inputs.idempotency(&method) {
        args.insert("idempotency".to_owned(), idempotency);
    }
    let expected = errors::expected(root, refresh);
    if !expected.is_empty() {
        args.insert("expect".to_owned(), json!({ "errors": expected }));
    }
    if text("execution_model") == Some("async")
        && let Some(poll) = text("poll_endpoint").and_then(|poll| around.site.resolve(poll).ok())
    {
        args.insert("poll".to_owned(), json!({ "url": poll }));
        args.insert("timeout_ms".to_owned(), json!(ASYNC_TIMEOUT_MS));
    }
    let waits = args.contains_key("poll");
    let output = match waits {
        // Work that goes on is told from work that has ended.
        true => {
            "{% steps.call.output.pending ? {'pending': true, 'handle': steps.call.output.data} : steps.call.output.data %}"
        }
        false => "{% steps.call.output.data %}",
    };
    let workflow = json!({
        "version": 1,
        "expression_language": "jsonata",
        "steps": [{ "id": "call", "primitive": "http.request", "args": args }],
        "output": output,
    });
    let mut imported = ImportedAction::new(id, workflow);
    imported.description = text("description").unwrap_or_default().to_owned();
    imported.input_schema = inputs.schema;
    imported.result_schema = results(root, action).filter(|_| !waits);
    imported.strict_result = around.strict_results;
    imported.limits = limit(action).into_iter().collect();
    imported.standing = standing(root, id);
    for (key, source) in
        [("execution_model", "execution_model"), ("idempotency_window", "/idempotency/window")]
    {
        let value = if source.starts_with('/') { action.at(source) } else { action.get(source) };
        if let Some(value) = value.and_then(Node::as_str) {
            imported.more.insert(key.to_owned(), json!(plain(value)));
        }
    }
    sensitivity(around, action, &method, &mut imported);
    Ok((imported, address))
}

/// The endpoint and the method of an action, or why it has none that can be used.
fn place<'d>(around: &Around<'d>, action: Node<'d>) -> Result<(&'d str, String), String> {
    let text = |key: &str| action.get(key).and_then(Node::as_str);
    let own = text("endpoint").zip(text("method").map(str::to_ascii_uppercase));
    let Some(via) = text("via") else {
        return own.ok_or_else(|| "it says neither where nor through what it is called".to_owned());
    };
    if is_payment(via) {
        return Err(format!(
            "it is a payment through `{}`, and this program never pays (payment_required)",
            plain(via)
        ));
    }
    // The protocol comes first. The endpoint stands in for it only if it is another place.
    let protocol =
        around.root.get("protocols").and_then(|protocols| protocols.get(via)?.get("endpoint")?.as_str());
    let host = |address: &str| {
        around.site.resolve(address).ok().and_then(|url| url.split('/').nth(2).map(str::to_owned))
    };
    match own {
        Some((endpoint, method)) if protocol.and_then(host) != host(endpoint) => Ok((endpoint, method)),
        _ => Err(format!("it is called through `{}`, which this program does not speak", plain(via))),
    }
}

/// The inputs of an action, and where each of them goes.
struct Inputs {
    schema: Value,
    path: Vec<String>,
    rest: Vec<String>,
    key_field: Option<String>,
}

impl Inputs {
    fn of(root: Node<'_>, action: Node<'_>, address: &str) -> Self {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for (name, input) in action.get("inputs").into_iter().flat_map(Node::members) {
            properties.insert(name.to_owned(), types::input(root, input));
            let has_default = properties[name].get("default").is_some();
            if input.get("required").and_then(Node::as_bool) == Some(true) && !has_default {
                required.push(name.to_owned());
            }
        }
        let path = names_in(address);
        for name in &path {
            properties.entry(name.clone()).or_insert_with(|| json!({ "type": "string" }));
            if !required.contains(name) && properties[name.as_str()].get("default").is_none() {
                required.push(name.clone());
            }
        }
        let supported = action.at("/idempotency/supported").and_then(Node::as_bool) == Some(true);
        let key_field = action.at("/idempotency/key_field").and_then(Node::as_str).filter(|_| supported);
        let key_field = key_field.map(str::to_owned);
        if let Some(field) = &key_field {
            let described = json!({
                "type": "string", "minLength": 1, "maxLength": 256,
                "description": "Names the request, so that the site does not do it twice; a random one when absent.",
            });
            properties.insert(field.clone(), described);
            required.retain(|name| name != field);
        }
        let is_rest = |name: &&String| !path.contains(name) && Some(*name) != key_field.as_ref();
        let rest = properties.keys().filter(is_rest).cloned().collect();
        let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        Self { schema, path, rest, key_field }
    }

    /// Puts the inputs into the path, and into the query or the body by the method.
    fn place(&self, method: &str, args: &mut Map<String, Value>) {
        let slots = |names: &[String]| -> Map<String, Value> {
            names.iter().map(|name| (name.clone(), json!(slot(name)))).collect()
        };
        if !self.path.is_empty() {
            args.insert("path".to_owned(), Value::Object(slots(&self.path)));
        }
        let has_body = !in_query(method);
        if has_body || !self.rest.is_empty() {
            let place = if has_body { "json" } else { "query" };
            args.insert(place.to_owned(), Value::Object(slots(&self.rest)));
        }
    }

    fn idempotency(&self, method: &str) -> Option<Value> {
        let field = self.key_field.as_ref()?;
        let place = if in_query(method) { "query" } else { "body" };
        Some(json!({ "in": place, "name": field, "key": slot(field) }))
    }
}

fn in_query(method: &str) -> bool {
    matches!(method, "GET" | "HEAD" | "DELETE")
}

/// The schema of the result: every member may be missing.
fn results(root: Node<'_>, action: Node<'_>) -> Option<Value> {
    let outputs = action.get("outputs")?;
    let schema = |(name, output): (&str, Node<'_>)| {
        let written =
            output.as_str().or_else(|| output.get("type").and_then(Node::as_str)).unwrap_or("string");
        (name.to_owned(), types::schema(root, written))
    };
    let properties: Map<String, Value> = outputs.members().map(schema).collect();
    (!properties.is_empty()).then(|| json!({ "type": "object", "properties": properties }))
}

fn limit(action: Node<'_>) -> Option<RateLimit> {
    let Limit { count, per } = Limit::parse(action.get("rate_limit")?.as_str()?)?;
    let per_ms = u64::try_from(per.max(Duration::from_millis(1)).as_millis()).ok()?;
    (count > 0).then_some(RateLimit { site: false, count: count.min(1_000_000), per_ms })
}

fn standing(root: Node<'_>, id: &str) -> Standing {
    let Some(status) = root.get("agent_status") else { return Standing::Available };
    let degraded =
        status.get("degraded_actions").into_iter().flat_map(Node::elements).filter_map(Node::as_str);
    match status.get("operational").and_then(Node::as_bool) {
        Some(false) => Standing::Unavailable,
        _ if degraded.into_iter().any(|name| name == id) => Standing::Degraded,
        _ => Standing::Available,
    }
}

/// What the action does to the site, and what it needs of a person.
fn sensitivity(around: &Around<'_>, action: Node<'_>, method: &str, imported: &mut ImportedAction) {
    let declared = action.get("sensitivity").and_then(Node::as_str);
    let reversible = action.get("reversible").and_then(Node::as_bool);
    imported.effect = match method {
        "GET" | "HEAD" => Effect::Read,
        _ => Effect::Write,
    };
    match declared {
        Some("irreversible") => {
            imported.effect = Effect::Irreversible;
            imported.demand(Confirm::Mandatory, "the site says that it cannot be undone");
        }
        Some("destructive") => {
            imported.effect = Effect::Destructive;
            imported.demand(Confirm::Recommended, "the site says that it changes or removes data");
        }
        Some("standard") | Some(_) | None => {
            if reversible == Some(false) && declared.is_none() {
                imported.effect = Effect::Destructive;
                imported.demand(Confirm::Recommended, "the site says that it is not reversible");
            } else if method == "DELETE" && declared.is_none() {
                imported.effect = Effect::Destructive;
                imported.demand(Confirm::Recommended, "it is a DELETE");
            }
        }
    }
    if action.get("requires_human_confirmation").and_then(Node::as_bool) == Some(true) {
        imported.demand(Confirm::Recommended, "the site wants a person to confirm it");
    }
    if around.synthetic && imported.effect > Effect::Read {
        imported.demand(Confirm::Recommended, "an intermediary describes it, and not the site");
    }
}
