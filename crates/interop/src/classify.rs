//! What a document is, by its content and never by the place where it was found.

use serde_json::{Map, Value};

/// A kind of document that sites publish for agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum System {
    /// A map of ours.
    Actions,
    /// A discovery document of the Web Agent Bridge.
    Wab,
    /// An `agent.json` of the Agent Web Protocol.
    Awp,
    /// A manifest of AI actions.
    Awas,
    /// A policy of the Agent-to-Web Framework.
    A2wf,
    /// Tools that the page itself registers.
    Webmcp,
    /// The entry point of AWAS for agents that speak MCP.
    McpManifest,
    /// The entry point of AWAS for agents that speak A2A.
    A2aManifest,
}

impl System {
    /// Every system, in the order of preference when several offer the same.
    pub const ALL: &'static [System] = &[
        System::Actions,
        System::Wab,
        System::Awp,
        System::Awas,
        System::A2wf,
        System::Webmcp,
        System::McpManifest,
        System::A2aManifest,
    ];

    /// The name that commands use.
    pub fn as_str(self) -> &'static str {
        match self {
            System::Actions => "actions",
            System::Wab => "wab",
            System::Awp => "awp",
            System::Awas => "awas",
            System::A2wf => "a2wf",
            System::Webmcp => "webmcp",
            System::McpManifest => "mcp-manifest",
            System::A2aManifest => "a2a-manifest",
        }
    }

    /// The system of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|system| system.as_str() == name)
    }
}

impl std::fmt::Display for System {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a document is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classified {
    /// Its system; none if it is something else.
    pub system: Option<System>,
    /// The version or dialect that it names.
    pub version: Option<String>,
    /// How many tools it seems to offer, if its system has tools.
    pub tools: Option<usize>,
    /// What it is if no system of ours, or what is odd about it.
    pub note: Option<&'static str>,
}

/// What a JSON document is.
///
/// ```
/// use actions_interop::classify::{System, classify};
/// use serde_json::json;
///
/// let document = json!({ "awp_version": "0.2", "domain": "example.com", "intent": "sell", "actions": [] });
/// assert_eq!(classify(&document).system, Some(System::Awp));
/// ```
pub fn classify(document: &Value) -> Classified {
    let Some(root) = document.as_object() else { return unrelated("JSON that is no object") };
    RULES.iter().find_map(|rule| rule(root)).unwrap_or_else(|| unrelated("unrelated JSON"))
}

type Root = Map<String, Value>;

/// How documents are told apart; the first rule that knows a document decides.
const RULES: &[fn(&Root) -> Option<Classified>] =
    &[actions, awp, wab, policy, entry_point, agent_card, other_agent_json, awas];

fn actions(root: &Root) -> Option<Classified> {
    (text(root, "protocol") == Some("actions.json"))
        .then(|| known(System::Actions, root.get("version"), list(root, "tools").map(Vec::len)))
}

fn awp(root: &Root) -> Option<Classified> {
    let actions = list(root, "actions")?;
    let is_awp = text(root, "awp_version").is_some() && text(root, "domain").is_some();
    is_awp.then(|| known(System::Awp, root.get("awp_version"), Some(actions.len())))
}

fn wab(root: &Root) -> Option<Classified> {
    let version = root.get("wab_version");
    if root.get("payload").is_some_and(Value::is_object) && root.contains_key("signature") {
        let note = "a signed trust envelope, which has no capabilities";
        return Some(Classified { note: Some(note), ..known(System::Wab, version, None) });
    }
    version?;
    let capabilities = root.get("capabilities").and_then(Value::as_object);
    let is_about_trust = root.contains_key("platform") && root.contains_key("compliance");
    if capabilities.is_none() && is_about_trust {
        return Some(unrelated("a document of another protocol that also says `wab_version`"));
    }
    let commands = capabilities.and_then(|found| found.get("commands")).or_else(|| root.get("actions"));
    let count = match commands {
        Some(Value::Array(commands)) => Some(commands.len()),
        Some(Value::Object(commands)) => Some(commands.len()),
        _ => None,
    };
    Some(known(System::Wab, version, count))
}

fn policy(root: &Root) -> Option<Classified> {
    let has_permissions = root.get("permissions").is_some_and(|found| found.is_object() || found.is_array());
    let has_identity = root.get("identity").is_some_and(Value::is_object);
    let is_policy = has_permissions && (has_identity || root.contains_key("specVersion"))
        || has_identity && root.contains_key("specVersion");
    is_policy.then(|| known(System::A2wf, root.get("specVersion"), None))
}

fn entry_point(root: &Root) -> Option<Classified> {
    let endpoints = root.get("endpoints")?.as_object()?;
    if list(root, "actions").is_some() || !root.contains_key("capabilities") {
        return None;
    }
    let is_a2a = endpoints.contains_key("actions_registry") || root.contains_key("interoperability");
    let version = root.get("version");
    match (is_a2a, endpoints.contains_key("actions")) {
        (true, _) => Some(known(System::A2aManifest, version, None)),
        (false, true) => Some(known(System::McpManifest, version, None)),
        (false, false) => None,
    }
}

fn agent_card(root: &Root) -> Option<Classified> {
    let is_card = list(root, "skills").is_some()
        && (root.contains_key("url") || root.contains_key("supportedInterfaces"));
    is_card.then(|| unrelated("an A2A agent card"))
}

fn other_agent_json(root: &Root) -> Option<Classified> {
    (root.contains_key("intents") && root.contains_key("origin"))
        .then(|| unrelated("an agent.json of another format"))
}

/// What entries of an AWAS catalogue have, in the words of the standard and of those who published it.
const AWAS_PLACES: &[&str] = &["path", "endpoint", "url", "method", "http_method"];

fn awas(root: &Root) -> Option<Classified> {
    let actions = list(root, "actions").or_else(|| list(root, "ai_actions"))?;
    let names_a_place =
        |action: &Value| AWAS_PLACES.iter().any(|place| action.get(place).is_some_and(Value::is_string));
    let versions = ["specVersion", "schemaVersion", "schema_version", "version"];
    let version = versions.iter().find_map(|key| root.get(*key));
    let is_awas = match actions.is_empty() {
        true => version.is_some(),
        false => actions.iter().any(names_a_place),
    };
    is_awas.then(|| known(System::Awas, version, Some(actions.len())))
}

fn known(system: System, version: Option<&Value>, tools: Option<usize>) -> Classified {
    let version = version.and_then(|version| match version {
        Value::String(text) => Some(text.chars().take(20).collect()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    });
    Classified { system: Some(system), version, tools, note: None }
}

fn unrelated(note: &'static str) -> Classified {
    Classified { system: None, version: None, tools: None, note: Some(note) }
}

fn text<'r>(root: &'r Root, key: &str) -> Option<&'r str> {
    root.get(key)?.as_str()
}

fn list<'r>(root: &'r Root, key: &str) -> Option<&'r Vec<Value>> {
    root.get(key)?.as_array()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_system_is_known_by_what_it_says() {
        let cases = [
            (json!({ "protocol": "actions.json", "version": 1, "tools": [{}, {}] }), Some(System::Actions)),
            (json!({ "awp_version": "0.2", "domain": "a.example", "actions": [{}] }), Some(System::Awp)),
            (
                json!({ "wab_version": "1.0", "provider": {}, "capabilities": { "commands": [] } }),
                Some(System::Wab),
            ),
            (json!({ "wab_version": "1.3.0", "site": {}, "actions": [{}] }), Some(System::Wab)),
            (json!({ "payload": {}, "signature": "x" }), Some(System::Wab)),
            (json!({ "wab_version": "1.0", "platform": "x", "compliance": {} }), None),
            (json!({ "specVersion": "1.0", "identity": {}, "permissions": {} }), Some(System::A2wf)),
            (json!({ "identity": {}, "permissions": {} }), Some(System::A2wf)),
            (json!({ "specVersion": "1.1", "permissions": [] }), Some(System::A2wf)),
            (
                json!({ "specVersion": "1.1", "version": "1.0", "actions": [{ "endpoint": "/a" }] }),
                Some(System::Awas),
            ),
            (json!({ "ai_actions": [{ "name": "x", "url": "/a" }] }), Some(System::Awas)),
            (json!({ "capabilities": {}, "endpoints": { "actions": "/a" } }), Some(System::McpManifest)),
            (
                json!({ "capabilities": {}, "endpoints": { "actions_registry": "/a" } }),
                Some(System::A2aManifest),
            ),
            (json!({ "skills": [], "url": "https://a.example" }), None),
            (json!({ "intents": [], "origin": "https://a.example" }), None),
            (json!({ "name": "a package", "version": "1.0.0" }), None),
            (json!({ "version": "1.0.0", "actions": ["open", "close"] }), None),
            (json!([]), None),
            (json!(null), None),
        ];
        for (document, system) in cases {
            assert_eq!(classify(&document).system, system, "{document}");
        }
    }

    #[test]
    fn the_name_of_a_system_means_it() {
        for system in System::ALL {
            assert_eq!(System::of_name(system.as_str()), Some(*system));
        }
    }
}
