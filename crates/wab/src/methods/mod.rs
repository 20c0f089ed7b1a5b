//! The nine methods of the protocol, one file each.

mod authenticate;
mod discover;
mod execute_action;
mod get_actions;
mod get_context;
mod get_page_info;
mod ping;
mod read_content;
mod subscribe;

use actions_protocol::WabCode;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use crate::bridge::Bridge;
use crate::caller::Caller;
use crate::message::Fault;
use crate::permission::Permissions;
use crate::sessions::Known;

/// The version of this bridge, as the protocol writes versions of bridges.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a command is performed with.
pub(crate) struct Situation<'s> {
    pub(crate) bridge: &'s Bridge,
    pub(crate) caller: &'s Caller,
    pub(crate) session: Option<&'s Known>,
    /// What the bridge and the session both grant.
    pub(crate) granted: Permissions,
}

/// What a command has come to.
pub(crate) struct Done {
    pub(crate) result: Value,
    /// The session that it began.
    pub(crate) session: Option<Known>,
    /// The events that its client subscribed to.
    pub(crate) subscribed: Vec<String>,
}

impl From<Value> for Done {
    fn from(result: Value) -> Self {
        Self { result, session: None, subscribed: Vec::new() }
    }
}

pub(crate) use ping::pong;

type Params = Map<String, Value>;
type Perform = for<'s> fn(Situation<'s>, Params) -> BoxFuture<'s, Result<Done, Fault>>;

/// A method of the protocol.
pub(crate) struct Method {
    pub(crate) name: &'static str,
    /// Its HTTP method and the path behind the base.
    pub(crate) verb: &'static str,
    pub(crate) path: &'static str,
    pub(crate) perform: Perform,
}

macro_rules! methods {
    ($($name:literal $verb:literal $path:literal $module:ident;)*) => {
        /// The methods, with their places on HTTP.
        pub(crate) static METHODS: &[Method] = &[$(Method {
            name: $name,
            verb: $verb,
            path: $path,
            perform: |situation, params| Box::pin($module::perform(situation, params)),
        },)*];
    };
}

methods! {
    "wab.discover" "GET" "discover" discover;
    "wab.getContext" "GET" "context" get_context;
    "wab.getActions" "GET" "actions" get_actions;
    "wab.executeAction" "POST" "execute" execute_action;
    "wab.readContent" "POST" "read" read_content;
    "wab.getPageInfo" "GET" "page-info" get_page_info;
    "wab.authenticate" "POST" "authenticate" authenticate;
    "wab.subscribe" "POST" "subscribe" subscribe;
    "wab.ping" "GET" "ping" ping;
}

/// A parameter that is a text.
fn text<'p>(params: &'p Params, name: &str) -> Result<&'p str, Fault> {
    let found = params.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    found.ok_or_else(|| Fault::new(WabCode::InvalidParams, format!("`{name}` is missing, or is no text")))
}
