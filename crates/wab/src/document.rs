//! The discovery document of a bridge.

use actions_runtime::MapVersion;
use serde_json::{Value, json};

use crate::catalogue::Catalogue;
use crate::permission::Permissions;

/// The path behind which the methods are.
pub(crate) const BASE: &str = "/api/wab";
/// The path of the WebSocket.
pub(crate) const SOCKET: &str = "/ws/wab";
/// The paths of the discovery document.
pub(crate) const PLACES: [&str; 2] = ["/agent-bridge.json", "/.well-known/wab.json"];

/// What the document says beside the commands.
#[derive(Clone, Debug)]
pub(crate) struct About<'a> {
    pub(crate) category: &'a str,
    pub(crate) permissions: Permissions,
    /// The host and the port that the bridge is served at, if it is.
    pub(crate) address: Option<&'a str>,
    pub(crate) must_match: bool,
    pub(crate) session_ttl: u64,
    pub(crate) max_rate: u64,
    /// Whether nothing is added for other dialects.
    pub(crate) strict: bool,
}

/// The document of the commands of maps.
pub(crate) fn document(maps: &[MapVersion], catalogue: &Catalogue, about: &About<'_>) -> Value {
    let commands: Vec<Value> = catalogue.commands.iter().map(|command| command.to_json()).collect();
    let http = about
        .address
        .map_or_else(|| json!({ "enabled": false }), |_| json!({ "enabled": true, "base_url": BASE }));
    let websocket = about.address.map_or_else(
        || json!({ "enabled": false }),
        |address| json!({ "enabled": true, "url": format!("ws://{address}{SOCKET}") }),
    );
    let (name, url) = provider(maps, about.address);
    let mut document = json!({
        "wab_version": "1.0",
        "provider": { "name": name, "category": about.category, "url": url },
        "capabilities": {
            "commands": commands,
            "permissions": about.permissions.to_json(),
            "tier": "free",
        },
        "transport": {
            "js_global": { "enabled": true, "interface": "window.AICommands" },
            "websocket": websocket,
            "http": http,
        },
        "security": {
            "require_origin_match": about.must_match,
            "session_ttl": about.session_ttl,
            "max_rate": about.max_rate,
        },
    });
    if !about.strict {
        document["actions"] = document["capabilities"]["commands"].clone();
    }
    document
}

/// The name and the address of the site of the first map.
fn provider(maps: &[MapVersion], address: Option<&str>) -> (String, String) {
    let surface = maps.iter().find_map(|map| map.engine.manifest().root().surface());
    let site = site(maps);
    let host = site.as_deref().and_then(|site| site.split_once("://")).map(|(_, host)| host.to_owned());
    let name = surface.and_then(|surface| surface.name.as_ref()).map(|name| name.to_string());
    let name = name.filter(|name| !name.trim().is_empty()).or(host).unwrap_or_else(|| "A site".to_owned());
    let url = site.or_else(|| address.map(|address| format!("http://{address}")));
    (name, url.unwrap_or_else(|| "about:blank".to_owned()))
}

/// The origin of the site of the first map that has one.
pub(crate) fn site(maps: &[MapVersion]) -> Option<String> {
    maps.iter().find_map(|map| {
        let surface = map.engine.manifest().root().surface()?;
        let own = surface.origin.as_ref().or(surface.url.as_ref()).map(|address| address.to_string());
        own.or_else(|| map.engine.start_url())
            .and_then(|address| actions_engine::browser::origin_of(&address))
    })
}
