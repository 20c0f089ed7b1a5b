//! Events of one kind, as a stream.

use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use tokio::sync::mpsc;

use crate::json::from_json;

/// Events of one kind from one session, in the order of the wire. Nothing is lost between `recv` calls.
pub struct Subscription<E> {
    method: String,
    events: mpsc::UnboundedReceiver<Box<str>>,
    kind: PhantomData<fn() -> E>,
}

impl<E: DeserializeOwned> Subscription<E> {
    pub(super) fn new(method: String, events: mpsc::UnboundedReceiver<Box<str>>) -> Self {
        Self { method, events, kind: PhantomData }
    }

    /// An event that has already arrived.
    pub fn try_recv(&mut self) -> Option<E> {
        while let Ok(params) = self.events.try_recv() {
            match from_json(&params) {
                Ok(event) => return Some(event),
                Err(error) => tracing::debug!("dropped {}: {error}", self.method),
            }
        }
        None
    }

    /// The next event, or `None` once the session has ended.
    pub async fn recv(&mut self) -> Option<E> {
        loop {
            let params = self.events.recv().await?;
            match from_json(&params) {
                Ok(event) => return Some(event),
                Err(error) => tracing::debug!("dropped {}: {error}", self.method),
            }
        }
    }
}
