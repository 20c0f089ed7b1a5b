//! The envelope of everything that comes over the transport.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// One message of the browser: an answer if it has an id, otherwise an event.
#[derive(Deserialize)]
pub(super) struct Incoming<'a> {
    pub(super) id: Option<u64>,
    #[serde(borrow)]
    pub(super) method: Option<Cow<'a, str>>,
    #[serde(rename = "sessionId", borrow)]
    pub(super) session: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) params: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) result: Option<&'a RawValue>,
    pub(super) error: Option<Refusal>,
}

/// What the browser says when it refuses a command.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Refusal {
    #[serde(default)]
    pub(super) code: i64,
    #[serde(default)]
    pub(super) message: String,
}

/// One command as it goes over the transport.
#[derive(Serialize)]
pub(super) struct Outgoing<'a, C> {
    pub(super) id: u64,
    #[serde(rename = "sessionId", skip_serializing_if = "Option::is_none")]
    pub(super) session: Option<&'a str>,
    pub(super) method: &'a str,
    pub(super) params: &'a C,
}

/// An event before anyone has asked what is in it.
#[derive(Clone, Copy)]
pub(crate) struct Event<'a> {
    pub(crate) method: &'a str,
    pub(super) params: &'a str,
}

impl Event<'_> {
    /// Reads the event; one that does not fit its type is dropped with a line in the debug log.
    pub(crate) fn read<T: serde::de::DeserializeOwned>(&self) -> Option<T> {
        match crate::json::from_json(self.params) {
            Ok(event) => Some(event),
            Err(error) => {
                tracing::debug!("dropped {}: {error}", self.method);
                None
            }
        }
    }
}

/// Whether a text is a message of the browser whose event or answer can be read. For the fuzzer.
#[doc(hidden)]
pub fn reads_message(text: &str) -> bool {
    let Ok(incoming) = serde_json::from_str::<Incoming<'_>>(text) else { return false };
    let content = [incoming.params, incoming.result].into_iter().flatten();
    let mut read = content.map(|raw| crate::json::from_json::<serde_json::Value>(raw.get()));
    incoming.error.is_some() || read.all(|value| value.is_ok())
}
