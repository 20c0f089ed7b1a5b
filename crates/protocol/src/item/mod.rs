//! The six items of the Actions Bridge Protocol, and three that runtimes and clients exchange beside them.

mod action_call;
mod action_call_output;
mod action_cancel;
mod action_error;
mod action_progress;
mod dom_event;
mod item_error;
mod runtime_ready;
mod runtime_removed;
mod runtime_status;

use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

pub use action_call::{ActionCall, CallTarget};
pub use action_call_output::ActionCallOutput;
pub use action_cancel::ActionCancel;
pub use action_error::ActionError;
pub use action_progress::{ActionProgress, ProgressStep};
pub use dom_event::DomEvent;
pub use item_error::ItemError;
pub use runtime_ready::{BrowserId, Replay, RuntimeReady, Tab};
pub use runtime_removed::RuntimeRemoved;
pub use runtime_status::{AttachmentStatus, RuntimeStatus};

use crate::CallId;

/// One message of the Actions Bridge Protocol.
///
/// An optional field that is `null` is read as absent; a field this crate has no name for is kept, so that a
/// relay loses nothing. Items are written with `type` first, then the named fields in one order, then the others.
///
/// ```
/// use actions_protocol::Item;
///
/// let text = r#"{"type":"runtime_status","runtime_id":"runtime-1","url":"https://example.com/"}"#;
/// let item = Item::parse(text).unwrap();
/// assert!(matches!(&item, Item::RuntimeStatus(status) if status.runtime_id.as_str() == "runtime-1"));
/// assert_eq!(item.to_json(), text);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Item {
    /// A runtime has connected and loaded its manifest.
    RuntimeReady(Box<RuntimeReady>),
    /// A heartbeat or a report of states.
    RuntimeStatus(RuntimeStatus),
    /// The request to perform one declared action or primitive.
    ActionCall(ActionCall),
    /// A call has succeeded.
    ActionCallOutput(ActionCallOutput),
    /// A declared signal of the page, after validation.
    DomEvent(DomEvent),
    /// A call, a routing decision, a signal or an item has failed.
    ActionError(ActionError),
    /// A step of a running call has begun or ended.
    ActionProgress(ActionProgress),
    /// The request to end a call.
    ActionCancel(ActionCancel),
    /// A runtime has ended and takes no more calls.
    RuntimeRemoved(RuntimeRemoved),
}

/// Reads the fields of one type of item.
type Reader = fn(Map<String, Value>) -> Result<Item, serde_path_to_error::Error<serde_json::Error>>;

/// The wire name of every type and how it is read.
const READERS: [(&str, Reader); 9] = [
    ("runtime_ready", |fields| read(fields).map(|ready| Item::RuntimeReady(Box::new(ready)))),
    ("runtime_status", |fields| read(fields).map(Item::RuntimeStatus)),
    ("action_call", |fields| read(fields).map(Item::ActionCall)),
    ("action_call_output", |fields| read(fields).map(Item::ActionCallOutput)),
    ("dom_event", |fields| read(fields).map(Item::DomEvent)),
    ("action_error", |fields| read(fields).map(Item::ActionError)),
    ("action_progress", |fields| read(fields).map(Item::ActionProgress)),
    ("action_cancel", |fields| read(fields).map(Item::ActionCancel)),
    ("runtime_removed", |fields| read(fields).map(Item::RuntimeRemoved)),
];

fn read<T: DeserializeOwned>(
    fields: Map<String, Value>,
) -> Result<T, serde_path_to_error::Error<serde_json::Error>> {
    serde_path_to_error::deserialize(Value::Object(fields))
}

impl Item {
    /// The wire names of the types.
    pub const TYPES: [&'static str; READERS.len()] = {
        let mut types = [""; READERS.len()];
        let mut index = 0;
        while index < READERS.len() {
            types[index] = READERS[index].0;
            index += 1;
        }
        types
    };

    /// Parses an item from JSON text; the error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, ItemError> {
        serde_json::from_str(text).map_err(ItemError::NotJson).and_then(Self::from_value)
    }

    /// Reads an item from JSON that has been parsed already.
    pub fn from_value(value: Value) -> Result<Self, ItemError> {
        let Value::Object(mut fields) = value else {
            return Err(ItemError::NotAnObject { found: kind(&value) });
        };
        let call_id = call_id(&fields);
        // The order of the other fields is kept, so that unknown ones come out as they came in.
        let Some(Value::String(item_type)) = fields.shift_remove("type") else {
            return Err(ItemError::NoType { call_id });
        };
        let Some((item_type, read)) = READERS.iter().find(|(name, _)| *name == item_type) else {
            return Err(ItemError::UnknownType { found: item_type, call_id });
        };
        read(fields).map_err(|error| ItemError::InvalidField {
            item_type,
            path: error.path().to_string(),
            reason: error.into_inner().to_string(),
            call_id,
        })
    }

    /// Writes the item as one line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self)
            .expect("every key of an item is a string and no value can fail to be written")
    }
}

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer)
            .and_then(|value| Self::from_value(value).map_err(serde::de::Error::custom))
    }
}

fn call_id(fields: &Map<String, Value>) -> Option<CallId> {
    fields.get("call_id")?.as_str().and_then(|text| CallId::parse(text).ok())
}

const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

macro_rules! into_item {
    ($($type:ident),*) => {$(
        impl From<$type> for Item {
            fn from(item: $type) -> Self {
                Self::$type(item.into())
            }
        }
    )*};
}

into_item!(
    RuntimeReady,
    RuntimeStatus,
    ActionCall,
    ActionCallOutput,
    DomEvent,
    ActionError,
    ActionProgress,
    ActionCancel,
    RuntimeRemoved
);
