//! Where a bridge is: on which transports, and at which addresses.

use actions_engine::WabTransport;
use serde_json::{Map, Value, json};

use super::command::Trigger;
use crate::document::{Refused, Site};

/// The object in the page if the document names none.
pub(super) const GLOBAL: &str = "window.AICommands";
/// Where bridges are that do not say so.
pub(super) const USUAL_BASE: &str = "/api/wab";

/// The transports that a document offers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transports {
    /// The object in the page.
    pub js_global: Option<String>,
    /// The address of the WebSocket.
    pub websocket: Option<String>,
    /// The address behind which the paths of methods stand.
    pub http: Option<String>,
}

impl Transports {
    /// Reads the transports of a document, as they are written. A bridge that says nothing is looked for at the usual place,
    /// and then in the page.
    pub(super) fn of(root: &Value) -> Self {
        let transport = &root["transport"];
        let enabled = |name: &str| transport[name]["enabled"] == true;
        let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        if transport.is_object() {
            let global = || text(&transport["js_global"]["interface"]).unwrap_or_else(|| GLOBAL.to_owned());
            return Self {
                js_global: enabled("js_global").then(global),
                websocket: text(&transport["websocket"]["url"]).filter(|_| enabled("websocket")),
                http: text(&transport["http"]["base_url"]).filter(|_| enabled("http")),
            };
        }
        let named = [&root["agent_access"]["api_base"], &root["endpoints"]["base"], &root["endpoint"]];
        let base = named.into_iter().find_map(text).unwrap_or_else(|| USUAL_BASE.to_owned());
        Self { js_global: Some(GLOBAL.to_owned()), websocket: None, http: Some(base) }
    }

    /// The transports with absolute addresses of the site; those of other sites are left out and named.
    pub(crate) fn on(&self, site: &Site) -> (Self, Vec<String>) {
        let mut foreign = Vec::new();
        let mut resolve = |place: &String| match resolve(site, place) {
            Ok(address) => Some(address),
            Err(Refused::Foreign(host)) => {
                foreign.push(host);
                None
            }
            Err(Refused::Unreadable) => None,
        };
        let websocket = self.websocket.as_ref().and_then(&mut resolve);
        let http = self.http.as_ref().and_then(&mut resolve);
        let js_global = self.js_global.clone().filter(|path| is_path(path));
        (Self { js_global, websocket, http }, foreign)
    }

    /// The transports for a command, the best one first: the page for what works on it, else HTTP.
    pub fn order(&self, trigger: Option<Trigger>) -> Vec<WabTransport> {
        let in_page = trigger.is_some_and(Trigger::touches_page);
        let order = match in_page {
            true => [WabTransport::JsGlobal, WabTransport::Websocket, WabTransport::Http],
            false => [WabTransport::Http, WabTransport::Websocket, WabTransport::JsGlobal],
        };
        let offered = |transport: &WabTransport| match transport {
            WabTransport::JsGlobal => self.js_global.is_some(),
            WabTransport::Websocket => self.websocket.is_some(),
            WabTransport::Http => self.http.is_some(),
        };
        order.into_iter().filter(offered).collect()
    }

    /// The argument of `wab.command`.
    pub(super) fn argument(&self) -> Value {
        let places = [("js_global", &self.js_global), ("websocket", &self.websocket), ("http", &self.http)];
        let given =
            places.into_iter().filter_map(|(name, place)| Some((name.to_owned(), json!(place.as_ref()?))));
        Value::Object(given.collect::<Map<_, _>>())
    }
}

/// The absolute address of a place of a site. Addresses of WebSockets are resolved like those of requests.
pub(super) fn resolve(site: &Site, place: &str) -> Result<String, Refused> {
    let (scheme, web) = match place.split_once("://") {
        Some(("ws", rest)) => (Some("ws"), format!("http://{rest}")),
        Some(("wss", rest)) => (Some("wss"), format!("https://{rest}")),
        _ => (None, place.to_owned()),
    };
    let address = site.resolve(&web)?;
    let address = address.trim_end_matches('/').to_owned();
    Ok(match (scheme, address.split_once("://")) {
        (Some(scheme), Some((_, rest))) => format!("{scheme}://{rest}"),
        _ => address,
    })
}

/// Whether a text is a path of names, such as `window.AICommands`, and nothing that could be code.
pub(super) fn is_path(text: &str) -> bool {
    let is_name = |name: &str| {
        let mut chars = name.chars();
        let begins = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '$'));
        begins && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$'))
    };
    text.len() <= 200 && text.split('.').all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_resolved_against_the_site_and_stay_on_it() {
        let site = Site::at("https://shop.example".parse().unwrap()).unwrap();
        assert_eq!(resolve(&site, "/api/wab").as_deref(), Ok("https://shop.example/api/wab"));
        assert_eq!(resolve(&site, "wss://ws.shop.example/wab/").as_deref(), Ok("wss://ws.shop.example/wab"));
        assert_eq!(
            resolve(&site, "wss://other.example/wab"),
            Err(Refused::Foreign("other.example".to_owned()))
        );
        assert!(
            matches!(resolve(&site, "ws://shop.example/wab"), Err(Refused::Foreign(_))),
            "TLS is not given up"
        );
    }

    #[test]
    fn the_name_of_the_object_in_the_page_is_never_code() {
        assert!(is_path("window.AICommands") && is_path("__wab_bidi"));
        assert!(!is_path("alert(1)") && !is_path("a..b") && !is_path(""));
    }

    #[test]
    fn the_order_follows_what_a_command_does() {
        let all = Transports {
            js_global: Some(GLOBAL.to_owned()),
            websocket: Some("wss://a.example".to_owned()),
            http: Some("https://a.example".to_owned()),
        };
        let (page, socket, http) = (WabTransport::JsGlobal, WabTransport::Websocket, WabTransport::Http);
        assert_eq!(all.order(Some(Trigger::Api)), [http, socket, page]);
        assert_eq!(all.order(Some(Trigger::Click)), [page, socket, http]);
        let some = Transports { websocket: None, ..all };
        assert_eq!(some.order(Some(Trigger::Navigate)), [page, http]);
    }
}
