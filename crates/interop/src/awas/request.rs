//! The workflow of an action that is performed by a request.

use serde_json::{Map, Value, json};

use super::action::Action;
use super::dialect::Dialect;
use super::parameter::{Parameter, Place};
use crate::document::{names_in, slot};
use crate::record::plain;

/// Headers that a parameter cannot set.
const OURS: &[&str] = &["authorization", "cookie", "host", "user-agent", "content-length", "x-api-key"];

/// What the catalogue says of credentials for an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    None,
    Optional,
    Required,
}

/// The workflow of an action at an address, and the names of parameters that only the address has; or why there is none.
pub(super) fn write(
    action: &Action,
    dialect: Dialect,
    url: &str,
    need: Need,
) -> Result<(Value, Vec<String>), String> {
    if action.csrf {
        let why = "it needs a token of the page, which requests without the page do not have (capability_unavailable)";
        return Err(why.to_owned());
    }
    let url = with_braces(url);
    let in_path = names_in(&url);
    let mut args = Map::new();
    args.insert("method".to_owned(), json!(action.method));
    args.insert("url".to_owned(), json!(url));
    let mut places: [(&str, Map<String, Value>); 3] =
        [("path", Map::new()), ("query", Map::new()), ("json", Map::new())];
    let mut headers = action.headers.clone();
    headers.insert("accept".to_owned(), json!("application/json"));
    headers.insert("awas-version".to_owned(), json!(dialect.as_str()));
    for name in &in_path {
        places[0].1.insert(name.clone(), json!(slot(name)));
    }
    for (name, wire, place) in carried(action, dialect, &in_path) {
        match place {
            Place::Path => {}
            Place::Query => drop(places[1].1.insert(wire, json!(slot(&name)))),
            Place::Body => drop(places[2].1.insert(wire, json!(slot(&name)))),
            Place::Header if OURS.contains(&wire.to_ascii_lowercase().as_str()) => {
                return Err(format!("it wants the header `{}` from the caller", plain(&wire)));
            }
            Place::Header => drop(headers.insert(wire, json!(slot(&name)))),
        }
    }
    args.insert("headers".to_owned(), Value::Object(headers));
    for (key, slots) in places {
        if !slots.is_empty() {
            args.insert(key.to_owned(), Value::Object(slots));
        }
    }
    if need != Need::None {
        let mut auth = json!({ "system": "awas", "required": need == Need::Required });
        if let Some(header) = &action.auth_header {
            auth["header"] = json!(header);
        }
        args.insert("auth".to_owned(), auth);
    }
    if let Some(header) = &action.idempotency_header {
        args.insert("idempotency".to_owned(), json!({ "in": "header", "name": header }));
    }
    let errors: Map<String, Value> = action
        .errors
        .iter()
        .map(|(status, text)| (status.clone(), json!({ "recovery": plain(text) })))
        .collect();
    let mut expect = Map::new();
    if !action.success.is_empty() {
        expect.insert("status".to_owned(), json!(action.success));
    }
    if !errors.is_empty() {
        expect.insert("errors".to_owned(), Value::Object(errors));
    }
    if !expect.is_empty() {
        args.insert("expect".to_owned(), Value::Object(expect));
    }
    let workflow = json!({
        "version": 1,
        "expression_language": "jsonata",
        "steps": [{ "id": "call", "primitive": "http.request", "args": args }],
        "output": "{% steps.call.output.data %}",
    });
    Ok((workflow, in_path))
}

/// The parameters that are not in the path: name, name on the wire, and place.
fn carried(action: &Action, dialect: Dialect, in_path: &[String]) -> Vec<(String, String, Place)> {
    let usual = match action.method.as_str() {
        "GET" | "HEAD" => Place::Query,
        // Version 1.1 declares inputs of a DELETE to be its body.
        "DELETE" if dialect == Dialect::One => Place::Query,
        _ => Place::Body,
    };
    let mut carried: Vec<(String, String, Place)> = action
        .parameters
        .iter()
        .filter(|parameter| !in_path.contains(&parameter.name))
        .map(|parameter| (parameter.name.clone(), wire_name(parameter), parameter.place.unwrap_or(usual)))
        .collect();
    let declared = action.input_schema.as_ref().and_then(|schema| schema["properties"].as_object());
    for name in declared.into_iter().flat_map(Map::keys) {
        if !in_path.contains(name) && !carried.iter().any(|(known, _, _)| known == name) {
            carried.push((name.clone(), name.clone(), usual));
        }
    }
    carried
}

/// The name of a parameter in a request: that of the field that its selector names, else its own.
pub(super) fn wire_name(parameter: &Parameter) -> String {
    field_name(parameter).unwrap_or_else(|| parameter.name.clone())
}

/// The name of the field in the selector of a parameter, such as `q` in `input[name='q']`.
pub(super) fn field_name(parameter: &Parameter) -> Option<String> {
    let selector = parameter.selector.as_deref()?;
    let (_, rest) = selector.rsplit_once("[name=")?;
    let name = rest.split(']').next()?.trim_matches(['\'', '"']);
    (!name.is_empty()).then(|| name.to_owned())
}

/// An address in which `:name` between slashes is written as `{name}`.
fn with_braces(url: &str) -> String {
    let (head, path) =
        match url.split_once("://").and_then(|(scheme, rest)| Some((scheme, rest.split_once('/')?))) {
            Some((scheme, (host, path))) => (format!("{scheme}://{host}/"), path),
            None => return url.to_owned(),
        };
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let part = |part: &str| match part.strip_prefix(':').filter(|name| is_name(name)) {
        Some(name) => format!("{{{name}}}"),
        None => part.to_owned(),
    };
    head + &path.split('/').map(part).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_after_a_colon_are_names_in_braces() {
        assert_eq!(with_braces("https://a.example:81/items/:id/x:y"), "https://a.example:81/items/{id}/x:y");
        assert_eq!(with_braces("https://a.example/items/{id}"), "https://a.example/items/{id}");
    }
}
