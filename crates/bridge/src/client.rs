//! A client: its calls, and the items that wait for it.
//!
//! A client with a name may go and come back. Its calls and answers are kept in between; those of a client without a name
//! end with its connection.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use actions_engine::CancellationToken;
use actions_protocol::{CallId, Item, RuntimeId};
use tokio::sync::Notify;

use crate::limits;
use crate::memory::{Known, Memory};

/// Why the bridge ends a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dismissal {
    /// The client reads too slowly.
    TooSlow,
    /// The client sent too many messages that are no items.
    NoItems,
    /// The same client has connected again.
    Replaced,
    /// The bridge is closing.
    Closing,
}

/// How much an item matters to a client that reads slowly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// A later item says the same: heartbeats and progress.
    Passing,
    /// It is sent as long as the connection lasts.
    Kept,
}

/// A client.
pub(crate) struct Client {
    /// The name by which it is known when it comes back.
    pub(crate) name: Option<String>,
    /// Whether it receives events of pages.
    pub(crate) hears_events: bool,
    state: Mutex<State>,
    /// Wakes the writer of the connection, and those who wait for the calls to end.
    changed: Notify,
}

#[derive(Default)]
struct State {
    memory: Memory,
    pending: HashMap<CallId, Pending>,
    pending_bytes: usize,
    waiting: VecDeque<Waiting>,
    waiting_bytes: usize,
    /// The item that is being written.
    writing: Option<Waiting>,
    connection: Option<u64>,
    connections: u64,
    dismissed: Option<Dismissal>,
    bad_items: usize,
}

struct Pending {
    cancel: CancellationToken,
    runtime_id: RuntimeId,
    bytes: usize,
}

struct Waiting {
    text: Arc<str>,
    /// When it was put here, if it is the answer to a call.
    answer_since: Option<Instant>,
}

impl State {
    fn push(&mut self, text: Arc<str>, answer_since: Option<Instant>) {
        self.waiting_bytes += text.len();
        self.waiting.push_back(Waiting { text, answer_since });
    }

    fn has_room(&self) -> bool {
        self.waiting.len() < limits::ITEMS_WAITING && self.waiting_bytes < limits::BYTES_WAITING
    }

    /// Ends the connection and keeps only answers.
    fn disconnect(&mut self, keeps: bool) {
        self.connection = None;
        if let Some(writing) = self.writing.take() {
            self.waiting_bytes += writing.text.len();
            self.waiting.push_front(writing);
        }
        self.waiting.retain(|item| keeps && item.answer_since.is_some());
        self.waiting_bytes = self.waiting.iter().map(|item| item.text.len()).sum();
    }

    /// Drops answers that have waited for too long, and the oldest ones if there are too many.
    fn forget_old(&mut self) {
        while self.waiting.front().is_some_and(|item| {
            !self.has_room() || item.answer_since.is_some_and(|since| since.elapsed() > limits::ANSWER_KEPT)
        }) {
            let dropped = self.waiting.pop_front();
            self.waiting_bytes -= dropped.map_or(0, |item| item.text.len());
        }
    }
}

impl Client {
    pub(crate) fn new(name: Option<String>, hears_events: bool) -> Arc<Self> {
        Arc::new(Self { name, hears_events, state: Mutex::default(), changed: Notify::new() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a connection, which replaces the one before it. `first` is sent before anything else.
    pub(crate) fn connect(&self, first: Vec<Arc<str>>) -> u64 {
        let mut state = self.state();
        if state.connection.is_some() {
            state.disconnect(self.name.is_some());
        }
        state.forget_old();
        state.connections += 1;
        state.connection = Some(state.connections);
        state.dismissed = None;
        state.bad_items = 0;
        for text in first.into_iter().rev() {
            state.waiting_bytes += text.len();
            state.waiting.push_front(Waiting { text, answer_since: None });
        }
        let connection = state.connections;
        drop(state);
        self.changed.notify_waiters();
        connection
    }

    /// Ends a connection, if it is still the current one. Calls of a client without a name that have not begun are dropped.
    pub(crate) fn disconnect(&self, connection: u64) {
        let mut state = self.state();
        if state.connection == Some(connection) {
            state.disconnect(self.name.is_some());
        }
        drop(state);
        self.changed.notify_waiters();
    }

    /// Whether an answer can reach the client, now or when it comes back.
    pub(crate) fn is_reachable(&self) -> bool {
        self.name.is_some() || self.state().connection.is_some()
    }

    /// Whether the client is connected now.
    pub(crate) fn is_connected(&self) -> bool {
        self.state().connection.is_some()
    }

    /// Whether a call waits or runs.
    pub(crate) fn is_pending(&self, call_id: &CallId) -> bool {
        self.state().pending.contains_key(call_id)
    }

    /// Looks a call up, and remembers that it begins if it is new.
    pub(crate) fn begin(&self, call_id: &CallId, digest: u64) -> Known {
        self.state().memory.begin(call_id, digest)
    }

    /// Makes room for a call. Returns `None` if too many wait or run already.
    pub(crate) fn admit(
        &self,
        call_id: &CallId,
        runtime_id: &RuntimeId,
        bytes: usize,
    ) -> Option<CancellationToken> {
        let mut state = self.state();
        let on_page = state.pending.values().filter(|pending| pending.runtime_id == *runtime_id).count();
        let fits = state.pending.len() < limits::CALLS_OF_CLIENT
            && on_page < limits::CALLS_ON_PAGE
            && state.pending_bytes + bytes <= limits::CALL_BYTES_OF_CLIENT;
        if !fits {
            return None;
        }
        let cancel = CancellationToken::new();
        state.pending_bytes += bytes;
        let runtime_id = runtime_id.clone();
        state.pending.insert(call_id.clone(), Pending { cancel: cancel.clone(), runtime_id, bytes });
        Some(cancel)
    }

    /// Cancels a call that waits or runs.
    pub(crate) fn cancel(&self, call_id: &CallId) {
        if let Some(pending) = self.state().pending.get(call_id) {
            pending.cancel.cancel();
        }
    }

    /// Cancels every call.
    pub(crate) fn cancel_all(&self) {
        self.state().pending.values().for_each(|pending| pending.cancel.cancel());
    }

    /// Answers a call: the answer waits until it is written. A second answer is dropped.
    pub(crate) fn answer(&self, call_id: &CallId, item: &Item) {
        let text: Arc<str> = item.to_json().into();
        let mut state = self.state();
        if let Some(pending) = state.pending.remove(call_id) {
            state.pending_bytes -= pending.bytes;
        }
        if state.memory.finish(call_id, &text) {
            self.push_answer(&mut state, text);
        }
        drop(state);
        self.changed.notify_waiters();
    }

    /// Sends an answer that was given before.
    pub(crate) fn answer_again(&self, text: Arc<str>) {
        let mut state = self.state();
        // It may wait already, if the connection broke before it was written. One that is being written may have arrived, and
        // the client asks again.
        if !state.waiting.iter().any(|item| Arc::ptr_eq(&item.text, &text)) {
            self.push_answer(&mut state, text);
        }
        drop(state);
        self.changed.notify_waiters();
    }

    fn push_answer(&self, state: &mut State, text: Arc<str>) {
        if state.connection.is_none() && self.name.is_none() {
            return;
        }
        state.push(text, Some(Instant::now()));
        match state.connection {
            Some(_) if !state.has_room() => self.dismiss_in(state, Dismissal::TooSlow),
            Some(_) => {}
            None => state.forget_old(),
        }
    }

    /// Sends an item that answers no call.
    pub(crate) fn tell(&self, text: Arc<str>, weight: Weight) {
        let mut state = self.state();
        if state.connection.is_none() || state.dismissed.is_some() {
            return;
        }
        if weight == Weight::Passing && state.waiting.len() > limits::BUSY {
            return;
        }
        state.push(text, None);
        if !state.has_room() {
            self.dismiss_in(&mut state, Dismissal::TooSlow);
        }
        drop(state);
        self.changed.notify_waiters();
    }

    /// Notes whether a message was an item. Too many in a row that are not end the connection.
    pub(crate) fn judge(&self, is_item: bool) {
        let mut state = self.state();
        state.bad_items = if is_item { 0 } else { state.bad_items + 1 };
        if state.bad_items > limits::BAD_ITEMS {
            self.dismiss_in(&mut state, Dismissal::NoItems);
            drop(state);
            self.changed.notify_waiters();
        }
    }

    /// Ends the connection.
    pub(crate) fn dismiss(&self, why: Dismissal) {
        self.dismiss_in(&mut self.state(), why);
        self.changed.notify_waiters();
    }

    fn dismiss_in(&self, state: &mut State, why: Dismissal) {
        state.dismissed.get_or_insert(why);
    }

    /// The next item to write on a connection. An error says why the connection ends.
    pub(crate) async fn next(&self, connection: u64) -> Result<Arc<str>, Dismissal> {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // From here on no change is missed.
            changed.as_mut().enable();
            {
                let mut state = self.state();
                if state.connection != Some(connection) {
                    return Err(Dismissal::Replaced);
                }
                if let Some(why) = state.dismissed
                    && (why != Dismissal::Closing || state.waiting.is_empty())
                {
                    return Err(why);
                }
                if let Some(next) = state.waiting.pop_front() {
                    state.waiting_bytes -= next.text.len();
                    let text = Arc::clone(&next.text);
                    state.writing = Some(next);
                    return Ok(text);
                }
            }
            changed.await;
        }
    }

    /// Notes that the item of the last [`Client::next`] was written.
    pub(crate) fn written(&self, connection: u64) {
        let mut state = self.state();
        if state.connection == Some(connection) {
            state.writing = None;
        }
        drop(state);
        self.changed.notify_waiters();
    }

    /// Waits until every call is answered and every item is written, or the connection has ended.
    pub(crate) async fn settled(&self, connection: u64) {
        self.until(|state| {
            let is_quiet = state.pending.is_empty() && state.waiting.is_empty() && state.writing.is_none();
            is_quiet || state.connection != Some(connection)
        })
        .await;
    }

    /// Waits until every call is answered.
    pub(crate) async fn idle(&self) {
        self.until(|state| state.pending.is_empty()).await;
    }

    /// Waits until the client is not connected.
    pub(crate) async fn disconnected(&self) {
        self.until(|state| state.connection.is_none()).await;
    }

    async fn until(&self, holds: impl Fn(&State) -> bool) {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // From here on no change is missed.
            changed.as_mut().enable();
            if holds(&self.state()) {
                return;
            }
            changed.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use actions_protocol::ActionCallOutput;
    use serde_json::json;

    use super::*;

    fn call(number: usize) -> CallId {
        CallId::parse(&format!("call-{number}")).unwrap()
    }

    fn runtime() -> RuntimeId {
        RuntimeId::parse("s-1").unwrap()
    }

    fn answer(client: &Client, number: usize) {
        client.begin(&call(number), 0);
        client.admit(&call(number), &runtime(), 10).expect("there is room");
        client.answer(&call(number), &ActionCallOutput::new(call(number), runtime(), json!(number)).into());
    }

    #[tokio::test]
    async fn a_client_that_reads_too_slowly_is_dismissed_and_loses_no_answer() {
        let client = Client::new(Some("agent".to_owned()), true);
        let connection = client.connect(Vec::new());
        answer(&client, 1);
        for _ in 0..2 * limits::BUSY {
            client.tell("heartbeat".into(), Weight::Passing);
        }
        assert_eq!(client.state().waiting.len(), limits::BUSY + 1, "heartbeats are dropped");
        for _ in 0..limits::ITEMS_WAITING {
            client.tell("news".into(), Weight::Kept);
        }
        assert_eq!(client.next(connection).await, Err(Dismissal::TooSlow));
        client.disconnect(connection);
        answer(&client, 2);

        let connection = client.connect(vec!["ready".into()]);
        assert_eq!(client.next(connection).await.as_deref(), Ok("ready"));
        client.written(connection);
        for number in [1, 2] {
            let text = client.next(connection).await.unwrap();
            assert!(text.contains(&format!("call-{number}")), "{text}");
            // An answer that was not written completely is sent again.
            if number == 1 {
                client.written(connection);
            }
        }
        let connection = client.connect(Vec::new());
        assert!(client.next(connection).await.unwrap().contains("call-2"));
        client.written(connection);
        client.settled(connection).await;
    }

    #[test]
    fn a_client_has_room_for_a_bounded_number_of_calls() {
        let client = Client::new(None, true);
        client.connect(Vec::new());
        for number in 0..limits::CALLS_ON_PAGE {
            assert!(client.admit(&call(number), &runtime(), 10).is_some());
        }
        assert!(client.admit(&call(1_000), &runtime(), 10).is_none());
        let other = RuntimeId::parse("s-2").unwrap();
        assert!(client.admit(&call(1_000), &other, 10).is_some());
        assert!(client.admit(&call(1_001), &other, limits::CALL_BYTES_OF_CLIENT).is_none());
    }
}
