//! The bridge by WebSocket: one connection of an agent.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actions_protocol::WabCode;
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::CapacityError;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};
use tokio_util::sync::CancellationToken;

use crate::bridge::Bridge;
use crate::caller::{Caller, new_id};
use crate::dispatch::{Answered, refused};
use crate::message::Command;
use crate::methods::pong;
use crate::sessions::Known;

/// The time between two heartbeats.
const HEARTBEAT: Duration = Duration::from_secs(30);
/// The largest message of an agent.
const MESSAGE: usize = 1 << 20;
/// How long an agent may take to read a message.
const READING: Duration = Duration::from_secs(30);
/// How long the end of a connection may take.
const CLOSING: Duration = Duration::from_secs(2);
/// How many commands of one agent may run at once.
const AT_ONCE: usize = 16;
/// After so many refusals for being too fast, the connection is closed.
const TOO_FAST: u32 = 20;

/// The session has ended.
const EXPIRED: CloseCode = CloseCode::Library(4001);
/// The agent sends too fast.
const RATE: CloseCode = CloseCode::Library(4002);
/// The key or the token is not accepted.
const AUTH: CloseCode = CloseCode::Library(4003);

/// Serves an agent until it leaves or has to.
pub(crate) async fn serve(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send,
    bridge: Bridge,
    mut caller: Caller,
    stop: CancellationToken,
) {
    let line = new_id("line");
    caller.line = Some(line.clone());
    caller.stream = None;
    let config = WebSocketConfig::default().max_message_size(Some(MESSAGE)).max_frame_size(Some(MESSAGE));
    let socket = WebSocketStream::from_raw_socket(stream, Role::Server, Some(config)).await;
    let (mut sink, mut stream) = socket.split();
    let mut events = bridge.shared.events.subscribe();
    let mut heartbeat = tokio::time::interval_at(tokio::time::Instant::now() + HEARTBEAT, HEARTBEAT);
    let caller = Arc::new(caller);
    let mut running: JoinSet<()> = JoinSet::new();
    let (answers, mut answered) = mpsc::channel::<(bool, Answered)>(AT_ONCE);
    let mut state = State::default();
    let end: Option<CloseFrame> = loop {
        let expiry = state.session.as_ref().map(|known| known.ends);
        let message = tokio::select! {
            biased;
            () = stop.cancelled() => break Some(frame(CloseCode::Away, "the bridge is closing")),
            Some((began, done)) = answered.recv() => {
                let close = state.note(&done, began);
                let sent = send(&mut sink, done.reply.message.to_string()).await;
                if !sent {
                    break None;
                }
                match close {
                    Some(frame) => break Some(frame),
                    None => continue,
                }
            }
            () = until(&bridge, expiry) => {
                let told = state.events.iter().any(|event| event == "sessionExpired");
                if told {
                    let push = json!({ "id": null, "type": "event", "event": "sessionExpired", "data": {} });
                    send(&mut sink, push.to_string()).await;
                }
                break Some(frame(EXPIRED, "the session has ended"));
            }
            happened = events.recv() => match happened {
                Ok(happened) => {
                    let is_for_it = happened.only.is_none_or(|only| state.session.as_ref().is_some_and(|known| known.id == only));
                    if !is_for_it || !state.events.contains(&happened.event) {
                        continue;
                    }
                    happened.message().to_string()
                }
                Err(RecvError::Lagged(_)) => continue,
                Err(RecvError::Closed) => break Some(frame(CloseCode::Away, "the bridge is closing")),
            },
            _ = heartbeat.tick() => {
                let now = bridge.shared.options.clock.unix_millis();
                json!({ "id": null, "type": "success", "result": pong(now) }).to_string()
            }
            received = stream.next(), if running.len() < AT_ONCE => match received {
                None | Some(Ok(Message::Close(_))) => break None,
                Some(Ok(Message::Text(text))) => match Command::parse(&text) {
                    Err((id, fault)) => refused(&id, fault).message.to_string(),
                    Ok(command) => {
                        let began = command.method == "wab.authenticate";
                        let (bridge, caller, answers) = (bridge.clone(), Arc::clone(&caller), answers.clone());
                        running.spawn(async move {
                            let done = Box::pin(bridge.answer(&caller, command)).await;
                            // The connection may have ended.
                            let _ = answers.send((began, done)).await;
                        });
                        continue;
                    }
                },
                Some(Ok(Message::Binary(_))) => break Some(frame(CloseCode::Unsupported, "commands are text")),
                Some(Ok(_)) => continue,
                Some(Err(Error::Capacity(CapacityError::MessageTooLong { .. }))) => {
                    break Some(frame(CloseCode::Size, "the command is too large"));
                }
                Some(Err(_)) => break None,
            },
            Some(_) = running.join_next() => continue,
        };
        if !send(&mut sink, message).await {
            break None;
        }
    };
    running.shutdown().await;
    bridge.shared.sessions.forget(&line);
    if let Some(frame) = end {
        let closing = async {
            let _ = sink.send(Message::Close(Some(frame))).await;
            while let Some(Ok(_)) = stream.next().await {}
        };
        let _ = tokio::time::timeout(CLOSING, closing).await;
    }
}

/// What is known of a connection.
#[derive(Default)]
struct State {
    /// The session that ends it.
    session: Option<Known>,
    events: Vec<String>,
    too_fast: u32,
}

impl State {
    /// Notes an answer. Returns how the connection closes after it, if it does.
    fn note(&mut self, done: &Answered, began: bool) -> Option<CloseFrame> {
        for event in &done.subscribed {
            if !self.events.contains(event) {
                self.events.push(event.clone());
            }
        }
        // A renewed session takes the place of the one before.
        let later = |known: &&Known| self.session.as_ref().is_none_or(|before| known.ends > before.ends);
        if let Some(known) = done.session.as_ref().filter(later) {
            self.session = Some(known.clone());
        }
        match done.reply.fault {
            Some(WabCode::SessionExpired) => Some(frame(EXPIRED, "the session has ended")),
            Some(WabCode::InvalidToken) if began => Some(frame(AUTH, "the key is not accepted")),
            Some(WabCode::RateLimited) => {
                self.too_fast += 1;
                (self.too_fast >= TOO_FAST).then(|| frame(RATE, "too many commands"))
            }
            _ => None,
        }
    }
}

async fn send(sink: &mut (impl SinkExt<Message> + Unpin), message: String) -> bool {
    let sent = tokio::time::timeout(READING, sink.send(Message::text(message))).await;
    matches!(sent, Ok(Ok(())))
}

/// Waits until a moment by the clock of the bridge; for ever without one.
async fn until(bridge: &Bridge, moment: Option<Instant>) {
    match moment {
        Some(moment) => bridge.shared.options.clock.sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

fn frame(code: CloseCode, reason: &'static str) -> CloseFrame {
    CloseFrame { code, reason: Utf8Bytes::from_static(reason) }
}
