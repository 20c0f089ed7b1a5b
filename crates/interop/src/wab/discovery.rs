//! A discovery document as agents use it, whatever dialect it is written in.

use serde_json::Value;

use super::command::Command;
use super::permission::Permissions;
use super::transports::Transports;

/// The most commands of a document.
pub(super) const MOST_COMMANDS: usize = 1_000;

/// A discovery document as agents use it.
#[derive(Clone, Debug, PartialEq)]
pub struct Discovery {
    /// The version of the protocol.
    pub version: String,
    /// What the provider calls itself.
    pub name: Option<String>,
    /// The address of the site.
    pub url: Option<String>,
    /// The commands that are described.
    pub commands: Vec<Command>,
    /// The names of commands that are not described.
    pub only_named: Vec<String>,
    /// What the bridge grants.
    pub permissions: Permissions,
    /// Where the bridge is, as the document writes it.
    pub transports: Transports,
    /// The path to open first.
    pub entry_point: Option<String>,
    /// How long sessions last, in seconds.
    pub session_ttl: u64,
    /// How many commands a minute a session may send.
    pub max_rate: u64,
    /// The commission that the site pays, if it says so.
    pub commission: Option<String>,
    /// Whether the site belongs to nobody else, if it says so.
    pub is_independent: Option<bool>,
}

impl Discovery {
    /// Reads a document. What it does not say is as the protocol says.
    pub fn of(root: &Value) -> Self {
        let provider =
            ["provider", "site"].iter().find_map(|key| root.get(*key).filter(|found| found.is_object()));
        let provider = provider.unwrap_or(&Value::Null);
        let text = |value: &Value| value.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned);
        let capabilities = &root["capabilities"];
        let permissions = [&capabilities["permissions"], &root["agent_permissions"], &root["permissions"]];
        let permissions = permissions.into_iter().find(|found| found.is_object()).unwrap_or(&Value::Null);
        let (commands, only_named) = commands(root);
        let domain = text(&provider["domain"]).map(|domain| match domain.contains("://") {
            true => domain,
            false => format!("https://{domain}"),
        });
        Self {
            version: text(&root["wab_version"]).unwrap_or_default(),
            name: text(&provider["name"]),
            url: text(&provider["url"]).or(domain),
            commands,
            only_named,
            permissions: Permissions::of(permissions),
            transports: Transports::of(root),
            entry_point: text(&root["agent_access"]["preferred_entry_point"]),
            session_ttl: root["security"]["session_ttl"].as_u64().filter(|ttl| *ttl > 0).unwrap_or(3_600),
            max_rate: root["security"]["max_rate"].as_u64().filter(|rate| *rate > 0).unwrap_or(60),
            commission: text(&root["fairness_metrics"]["commission_rate"]),
            is_independent: root["fairness_metrics"]["is_independent"].as_bool(),
        }
    }
}

/// The commands that are described, and the names of those that are not.
fn commands(root: &Value) -> (Vec<Command>, Vec<String>) {
    let (mut described, mut named): (Vec<Command>, Vec<String>) = (Vec::new(), Vec::new());
    for list in [&root["capabilities"]["commands"], &root["commands"], &root["actions"]] {
        let mut add = |command: Command| {
            if described.iter().all(|known| known.name != command.name) {
                described.push(command);
            }
        };
        match list {
            Value::Array(items) => {
                for item in items.iter().take(MOST_COMMANDS) {
                    match item {
                        Value::String(name) => named.push(name.clone()),
                        item => Command::of(item, None).into_iter().for_each(&mut add),
                    }
                }
            }
            Value::Object(members) => {
                let listed = members.iter().take(MOST_COMMANDS);
                listed.filter_map(|(name, item)| Command::of(item, Some(name))).for_each(&mut add);
            }
            _ => {}
        }
    }
    named.retain(|name| described.iter().all(|known| known.name != *name));
    (described, named)
}
