//! A connection of a client, whatever carries it.

use std::sync::Arc;

use actions_engine::{ErrorCode, ErrorObject, SiteRequest};
use actions_protocol::{ActionCall, ActionError, Item};
use serde_json::Value;

use crate::client::{Client, Dismissal};
use crate::limits;
use crate::order::Wrap;
use crate::request::{Asked, Request, digest, tell};
use crate::routing::Wanted;
use crate::shared::Shared;

/// A connection of a client. Dropping it ends it; calls that have begun run to their end.
pub struct Connection {
    shared: Arc<Shared>,
    client: Arc<Client>,
    number: u64,
}

impl Connection {
    pub(crate) fn begin(shared: Arc<Shared>, client: Arc<Client>) -> Self {
        // Locked until the client is connected: a page that opens meanwhile is announced after that.
        let served = shared.served();
        let ready = served.values().map(|served| served.ready().to_json().into()).collect();
        let number = client.connect(ready);
        drop(served);
        Self { shared, client, number }
    }

    pub(crate) fn client(&self) -> &Arc<Client> {
        &self.client
    }

    /// Takes what the client sent. Never waits.
    pub fn receive(&self, text: &str) {
        let item = Item::parse(text);
        self.client.judge(item.is_ok());
        match item {
            Ok(Item::ActionCall(call)) => self.call(call, text.len()),
            Ok(Item::ActionCancel(cancel)) => self.client.cancel(&cancel.call_id),
            Ok(_) => {
                let message = "a client sends `action_call` and `action_cancel`; other items are sent to it";
                tell(&self.client, ActionError::new(ErrorObject::new(ErrorCode::InvalidInput, message)));
            }
            Err(error) => {
                let answer = ActionError::new(error.to_error_object());
                let call_id = error.call_id().filter(|id| !self.client.is_pending(id)).cloned();
                tell(&self.client, call_id.into_iter().fold(answer, ActionError::for_call));
            }
        }
    }

    fn call(&self, call: ActionCall, bytes: usize) {
        let wanted = Wanted::of(&call);
        let digest = digest(&Item::from(call.clone()).to_json());
        let ActionCall { call_id, name, arguments, timeout_ms, .. } = call;
        let work = Asked::named(name.clone(), Value::Object(arguments));
        let limit = timeout_ms.or(match &work {
            Ok(Asked::Site(SiteRequest::Call { timeout, .. })) => *timeout,
            _ => None,
        });
        let wrap = Wrap::Plain;
        let request = Request { call_id, action: name, wanted, work, limit, bytes, digest, wrap };
        self.shared.submit(&self.client, request);
    }

    /// Tells the client that a message of it was too large to be read.
    pub fn refuse_large(&self) {
        let message = format!("the message has more than {}, which is the limit", limits::ITEM);
        tell(&self.client, ActionError::new(ErrorObject::new(ErrorCode::PayloadTooLarge, message)));
    }

    /// The next item for the client. It counts as sent after [`Connection::written`]. An error says why the connection
    /// ends.
    pub async fn next(&self) -> Result<Arc<str>, Dismissal> {
        self.client.next(self.number).await
    }

    /// Notes that the item of the last [`Connection::next`] was written.
    pub fn written(&self) {
        self.client.written(self.number);
    }

    /// Waits until every call of the client is answered and every item is written.
    pub async fn settled(&self) {
        self.client.settled(self.number).await;
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.client.disconnect(self.number);
        self.shared.clients().connected.retain(|client| client.is_connected());
    }
}
