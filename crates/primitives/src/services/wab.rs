//! The port through which commands go to bridges of the Web Agent Bridge.

use std::collections::BTreeSet;

use actions_browser::Deadline;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Failure;

/// A way to a bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WabTransport {
    /// Functions of the page.
    JsGlobal,
    /// A WebSocket.
    Websocket,
    /// HTTP requests.
    Http,
}

/// Where a bridge is on each transport that it offers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WabPlaces {
    /// The name of the object in the page, such as `window.AICommands`.
    pub js_global: Option<String>,
    /// The address of the WebSocket.
    pub websocket: Option<String>,
    /// The address that the paths of methods are put behind.
    pub http: Option<String>,
}

impl WabPlaces {
    /// Where the bridge is on a transport.
    pub fn on(&self, transport: WabTransport) -> Option<&str> {
        match transport {
            WabTransport::JsGlobal => self.js_global.as_deref(),
            WabTransport::Websocket => self.websocket.as_deref(),
            WabTransport::Http => self.http.as_deref(),
        }
    }
}

/// Whether a command needs a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WabAuth {
    /// It is sent without one.
    None,
    /// It is sent with one if a key is stored.
    #[default]
    Optional,
    /// It is not sent without one.
    Required,
}

/// A command to a bridge.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WabCall {
    /// The address of the site whose bridge it is.
    pub url: String,
    /// Where the bridge is.
    pub places: WabPlaces,
    /// The transports to try, the best one first.
    pub order: Vec<WabTransport>,
    /// The method, such as `wab.executeAction`.
    pub method: String,
    /// Its parameters.
    pub params: Value,
    /// Whether it needs a session.
    pub auth: WabAuth,
    /// The permission that it needs, if the session of the agent has to grant it.
    pub permission: Option<String>,
    /// How long the sessions of the bridge last, in seconds, if it does not say so when one begins.
    pub session_ttl: u64,
    /// Whether other dialects of the protocol are understood.
    pub lenient: bool,
    /// The origins that the bridge may be at; any if absent.
    pub origins: Option<BTreeSet<String>>,
    /// The largest response, in bytes.
    pub max_bytes: usize,
}

impl WabCall {
    /// A command to the bridge of a site.
    pub fn new(url: impl Into<String>, method: impl Into<String>, params: Value) -> Self {
        Self {
            url: url.into(),
            places: WabPlaces::default(),
            order: Vec::new(),
            method: method.into(),
            params,
            auth: WabAuth::default(),
            permission: None,
            session_ttl: 3_600,
            lenient: true,
            origins: None,
            max_bytes: 2_000_000,
        }
    }
}

/// What a bridge answered.
#[derive(Clone, Debug)]
pub struct WabReply {
    /// The result of the command.
    pub result: Value,
    /// The transport that it came by.
    pub transport: WabTransport,
    /// Whether the page went to another document before it could answer.
    pub navigated: bool,
}

/// What came of a call of a function of the page.
#[derive(Clone, Debug)]
pub enum WabPageAnswer {
    /// It returned this.
    Value(Value),
    /// The page has no such function.
    Missing,
    /// The page went to another document while the function ran.
    Navigated,
    /// It failed.
    Failed(Failure),
}

/// The functions of the page of a call.
#[async_trait]
pub trait WabPage: Send + Sync {
    /// The address of the page.
    fn url(&self) -> String;

    /// Calls a function of the page, by its path, with JSON arguments.
    async fn call(&self, path: &str, args: &[Value], deadline: Deadline) -> WabPageAnswer;
}

/// Sends commands to bridges: keeps their sessions, chooses the transport, and observes their limits.
#[async_trait]
pub trait WabCaller: Send + Sync {
    /// Sends a command and returns what the bridge answered. Another transport is tried only if the command cannot have run.
    async fn command(
        &self,
        call: WabCall,
        page: &dyn WabPage,
        deadline: Deadline,
    ) -> Result<WabReply, Failure>;
}
