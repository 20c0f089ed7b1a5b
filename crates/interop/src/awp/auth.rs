//! What an action needs to prove who asks.

use actions_manifest::document::Node;
use serde_json::{Value, json};

use crate::record::plain;

/// Whether an action needs credentials: it does if any part of the document says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    None,
    Optional,
    Required,
}

pub(super) fn need(root: Node<'_>, action: Node<'_>, id: &str) -> Need {
    let auth = root.get("auth");
    let listed = |key: &str| {
        let names = auth.and_then(|auth| auth.get(key)).into_iter().flat_map(Node::elements);
        names.filter_map(Node::as_str).any(|name| name == id)
    };
    let says = action.get("auth_required").and_then(Node::as_bool);
    match (says == Some(true) || listed("required_for"), listed("optional_for")) {
        (true, _) => Need::Required,
        (false, true) => Need::Optional,
        (false, false) => Need::None,
    }
}

/// The `auth` of a request, if it carries credentials. `refresh` is the absolute address where they are renewed.
pub(super) fn argument(root: Node<'_>, need: Need, refresh: Option<&str>) -> Option<Value> {
    if need == Need::None {
        return None;
    }
    let auth = root.get("auth");
    let mut argument = json!({ "system": "awp", "required": need == Need::Required });
    let text = |key: &str| auth.and_then(|auth| auth.get(key)).and_then(Node::as_str);
    match text("type") {
        Some("oauth2" | "bearer") => argument["scheme"] = json!("bearer"),
        Some("api_key") => argument["scheme"] = json!("api-key"),
        _ => {}
    }
    let named = auth.and_then(|auth| auth.get("auth_headers")).and_then(|headers| headers.elements().next());
    let header = text("headerName").or_else(|| text("header")).or_else(|| named.and_then(Node::as_str));
    let is_plain = |header: &&str| {
        (1..=64).contains(&header.len()) && header.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    if let Some(header) = header.filter(is_plain) {
        argument["header"] = json!(plain(header));
    }
    if let Some(refresh) = refresh {
        argument["refresh"] = json!(refresh);
    }
    Some(argument)
}
