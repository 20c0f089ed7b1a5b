//! Translates a discovery document into records: a tool for each command, and those of the protocol itself.

use actions_manifest::Finding;
use serde_json::{Map, Value, json};
use url::Url;

use super::check;
use super::command::{Command, Trigger};
use super::discovery::Discovery;
use super::transports::Transports;
use crate::document::{ImportError, Site, Source, Wishes};
use crate::record::{Effect, ImportedAction, ImportedSite, LeftOut, RateLimit, namespace_of, plain};

/// A method of the protocol that becomes a tool of its own.
struct Method {
    id: &'static str,
    method: &'static str,
    description: &'static str,
    /// The name, the description and whether it is required, of its only parameter.
    parameter: Option<(&'static str, &'static str, bool)>,
    permission: Option<&'static str>,
}

/// The methods that become tools of their own.
const METHODS: &[Method] = &[
    Method {
        id: "wab.read_content",
        method: "wab.readContent",
        description: "Reads the text and the HTML of an element.",
        parameter: Some(("selector", "The element, as a CSS selector.", true)),
        permission: Some("readContent"),
    },
    Method {
        id: "wab.page_info",
        method: "wab.getPageInfo",
        description: "Reads the title, the address and the description of the page of the bridge.",
        parameter: None,
        permission: None,
    },
    Method {
        id: "wab.context",
        method: "wab.getContext",
        description: "Reads the version, the permissions and the session of the bridge.",
        parameter: None,
        permission: None,
    },
    Method {
        id: "wab.actions",
        method: "wab.getActions",
        description: "Lists the actions of the bridge as they are now.",
        parameter: Some(("category", "Only those of this category.", false)),
        permission: None,
    },
    Method {
        id: "wab.ping",
        method: "wab.ping",
        description: "Asks whether the bridge works.",
        parameter: None,
        permission: None,
    },
];

/// Makes records of the commands of a discovery document.
pub fn import(source: &Source, wishes: &Wishes) -> Result<(ImportedSite, Vec<Finding>), ImportError> {
    let (document, findings) = check(&source.name, &source.bytes, wishes.profile);
    let Some(document) = document else {
        return Err(ImportError::Invalid { name: source.name.clone(), findings });
    };
    let site = site(source, &Discovery::of(&document.root().to_value()))?;
    Ok((site, findings))
}

fn site(source: &Source, found: &Discovery) -> Result<ImportedSite, ImportError> {
    let provider = found.url.as_deref().and_then(|url| Url::parse(url).ok()).and_then(Site::at);
    // A bridge belongs to the site that serves its document; a file belongs to the site that it names.
    let served = source.url.as_ref().and_then(|url| Site::at(url.join("/").ok()?));
    let Some(site) = served.or_else(|| provider.clone()) else {
        return Err(ImportError::NoSite { name: source.name.clone() });
    };
    let (mut transports, _) = found.transports.on(&site);
    // The page of another site has another bridge, or none.
    if provider.is_some_and(|provider| provider.origin != site.origin) {
        transports.js_global = None;
    }
    let around = Around { site: &site, found, transports: &transports };
    let (mut actions, mut left_out) = (Vec::new(), Vec::new());
    let reason =
        (transports == Transports::default()).then_some("the bridge has no transport that can be used here");
    for command in &found.commands {
        match around.command(command).filter(|_| reason.is_none()) {
            Some(action) => actions.push(action),
            None => {
                let denied = || {
                    format!(
                        "it needs `{}`, which is not granted (permission_denied)",
                        command.trigger.permission()
                    )
                };
                let reason = reason.map_or_else(denied, str::to_owned);
                left_out.push(LeftOut { id: command.name.clone(), reason });
            }
        }
    }
    for name in &found.only_named {
        let reason = "it is named and not described; the live list of the bridge may describe it".to_owned();
        left_out.push(LeftOut { id: name.clone(), reason });
    }
    if reason.is_none() {
        actions.extend(METHODS.iter().filter_map(|method| around.method(method)));
    }
    let place = |address: &String| actions_engine::browser::origin_of(&as_web(address));
    let origins = [&transports.http, &transports.websocket].into_iter().flatten().filter_map(place);
    let mut more_origins: Vec<String> = origins.filter(|origin| *origin != site.origin).collect();
    more_origins.sort();
    more_origins.dedup();
    let mut hints = Vec::new();
    hints.extend(found.commission.clone().map(|rate| ("commission".to_owned(), rate)));
    hints.extend(found.is_independent.map(|is| ("independent".to_owned(), is.to_string())));
    Ok(ImportedSite {
        namespace: namespace_of(&site.origin),
        origin: site.origin.clone(),
        more_origins,
        name: found.name.clone(),
        description: None,
        hints,
        actions,
        left_out,
        provenance: source.provenance("wab", &found.version),
    })
}

/// The address of a WebSocket as the address of its site.
pub(super) fn as_web(place: &str) -> String {
    match place.split_once("://") {
        Some(("ws", rest)) => format!("http://{rest}"),
        Some(("wss", rest)) => format!("https://{rest}"),
        _ => place.to_owned(),
    }
}

/// What a command stands in.
struct Around<'d> {
    site: &'d Site,
    found: &'d Discovery,
    transports: &'d Transports,
}

impl Around<'_> {
    /// The record of a command; none if the bridge does not grant what it needs.
    fn command(&self, command: &Command) -> Option<ImportedAction> {
        let permission = command.trigger.permission();
        if !self.found.permissions.grants(permission) {
            return None;
        }
        let params = json!({ "name": command.name, "data": "{% input %}" });
        let auth = if command.requires_auth { "required" } else { "optional" };
        let trigger = Some(command.trigger);
        let workflow = self.workflow("wab.executeAction", params, auth, Some(permission), trigger);
        let mut action = ImportedAction::new(command.name.clone(), workflow);
        action.description.clone_from(&command.description);
        action.input_schema = command.input_schema();
        action.effect = if command.trigger.reads(&command.name) { Effect::Read } else { Effect::Write };
        action.limits = vec![self.limit()];
        action.more.insert("trigger".to_owned(), json!(command.trigger.as_str()));
        Some(action)
    }

    fn method(&self, method: &Method) -> Option<ImportedAction> {
        if method.permission.is_some_and(|permission| !self.found.permissions.grants(permission)) {
            return None;
        }
        let mut params = Map::new();
        let mut schema = json!({ "type": "object", "properties": {}, "additionalProperties": false });
        if let Some((name, description, required)) = method.parameter {
            params.insert(name.to_owned(), json!(crate::document::slot(name)));
            schema["properties"][name] = json!({ "type": "string", "description": description });
            if required {
                schema["required"] = json!([name]);
            }
        }
        let workflow =
            self.workflow(method.method, Value::Object(params), "optional", method.permission, None);
        let mut action = ImportedAction::new(method.id, workflow);
        method.description.clone_into(&mut action.description);
        action.input_schema = schema;
        action.limits = vec![self.limit()];
        Some(action)
    }

    /// How often the bridge lets a session send commands.
    fn limit(&self) -> RateLimit {
        RateLimit { site: true, count: self.found.max_rate, per_ms: 60_000 }
    }

    fn workflow(
        &self,
        method: &str,
        params: Value,
        auth: &str,
        permission: Option<&str>,
        trigger: Option<Trigger>,
    ) -> Value {
        let order = self.transports.order(trigger);
        let in_page = order.first() == Some(&actions_engine::WabTransport::JsGlobal);
        let mut args = json!({
            "url": format!("{}/", self.site.origin),
            "transports": self.transports.argument(),
            "order": order,
            "method": method,
            "params": params,
            "auth": auth,
            "session_ttl": self.found.session_ttl,
        });
        if let Some(permission) = permission {
            args["permission"] = json!(permission);
        }
        let call = json!({ "id": "call", "primitive": "wab.command", "args": args });
        let steps = match in_page {
            true => json!([
                { "id": "here", "primitive": "page.info", "args": {} },
                {
                    "id": "open",
                    "primitive": "browser.navigate",
                    "when": format!("{{% $substringBefore($substringAfter(steps.here.output.url, '://'), '/') != '{}' %}}", self.host()),
                    "args": { "url": self.entry() },
                },
                call,
            ]),
            false => json!([call]),
        };
        json!({ "version": 1, "expression_language": "jsonata", "steps": steps, "output": "{% steps.call.output.result %}" })
    }

    /// The host and the port of the site, in characters that cannot end a text.
    fn host(&self) -> String {
        let host = self.site.origin.split_once("://").map_or("", |(_, host)| host);
        plain(host).replace(['\'', '\\'], "")
    }

    /// The page to open first.
    fn entry(&self) -> String {
        let named = self.found.entry_point.as_deref().and_then(|path| self.site.resolve(path).ok());
        named.filter(|url| !url.contains('{')).unwrap_or_else(|| format!("{}/", self.site.origin))
    }
}
