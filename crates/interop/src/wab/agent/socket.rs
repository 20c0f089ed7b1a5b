//! Commands by WebSocket.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use actions_engine::browser::Deadline;
use actions_engine::{ErrorCode, Failure, WabCall};
use futures_util::{FutureExt, SinkExt, StreamExt};
use rustls_platform_verifier::ConfigVerifierExt;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::error::CapacityError;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};
use url::Url;

use super::wire::{Answer, Attempt, Command, Pace};
use super::{Agent, Line};

/// A bridge that has said nothing for this long is connected to anew.
const SILENCE: Duration = Duration::from_secs(60);
/// How many messages that are not the answer are passed over.
const OTHERS: usize = 10_000;
/// The most connections that are kept.
const MOST: usize = 64;

/// What a bridge says by the code of a close frame.
const CLOSES: &[(u16, ErrorCode)] =
    &[(4001, ErrorCode::AuthExpired), (4002, ErrorCode::RateLimited), (4003, ErrorCode::AuthInvalid)];

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

type Socket = WebSocketStream<Box<dyn Stream>>;

/// Connections that wait for the next command.
#[derive(Default)]
pub(super) struct Sockets {
    idle: Mutex<HashMap<String, Vec<Connection>>>,
}

impl std::fmt::Debug for Sockets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sockets").finish_non_exhaustive()
    }
}

/// A connection, and when the bridge last said something.
struct Connection {
    socket: Socket,
    heard: Instant,
}

impl Connection {
    /// Reads what has come meanwhile. Whether the connection can still be used.
    fn catch_up(&mut self, now: Instant) -> bool {
        for _ in 0..OTHERS {
            match self.socket.next().now_or_never() {
                None => return now.saturating_duration_since(self.heard) < SILENCE,
                Some(Some(Ok(Message::Close(_)) | Err(_)) | None) => return false,
                Some(Some(Ok(_))) => self.heard = now,
            }
        }
        false
    }
}

impl Agent {
    /// Sends a command by WebSocket. A connection is used again, unless the bridge has been silent.
    pub(super) async fn by_socket(
        &self,
        place: &str,
        call: &WabCall,
        command: &Command<'_>,
        deadline: Deadline,
    ) -> Result<(Option<Answer>, Pace), Attempt> {
        if matches!(self.line, Line::Recorded(_)) {
            let message = "WebSockets are not part of recordings";
            return Err(Attempt::NotSent(Failure::new(ErrorCode::ReplayMiss, message)));
        }
        let text = command.message().to_string();
        let mut kept = self.kept(place);
        loop {
            let is_new = kept.is_none();
            let mut connection = match kept.take() {
                Some(connection) => connection,
                None => self.connect(place, call.max_bytes, deadline).await.map_err(Attempt::NotSent)?,
            };
            let left = deadline.remaining(&*self.clock);
            let sent = tokio::time::timeout(left, connection.socket.send(Message::text(text.clone()))).await;
            match sent {
                Ok(Ok(())) => {}
                // What was not written as a whole has not run, and a kept connection may have ended meanwhile.
                Ok(Err(_)) if !is_new => continue,
                Ok(Err(error)) => return Err(Attempt::NotSent(broken(&error, call.max_bytes))),
                Err(_) => return Err(Attempt::NotSent(late())),
            }
            let left = deadline.remaining(&*self.clock);
            let answered =
                tokio::time::timeout(left, answer(&mut connection.socket, &command.id, call.max_bytes)).await;
            let envelope = match answered {
                Ok(Ok(envelope)) => envelope,
                Ok(Err(failure)) if command.acts() => return Err(Attempt::Ended(failure)),
                Ok(Err(failure)) => return Err(Attempt::NotSent(failure)),
                Err(_) => return Err(Attempt::Ended(late())),
            };
            connection.heard = self.clock.now();
            self.keep(place, connection);
            return Ok((Some(Answer { envelope, status: None }), Pace::default()));
        }
    }

    /// A connection that can be used again.
    fn kept(&self, place: &str) -> Option<Connection> {
        let now = self.clock.now();
        loop {
            let next = {
                let mut idle = self.sockets.idle.lock().unwrap_or_else(PoisonError::into_inner);
                idle.get_mut(place).and_then(Vec::pop)
            };
            let mut connection = next?;
            if connection.catch_up(now) {
                return Some(connection);
            }
        }
    }

    fn keep(&self, place: &str, connection: Connection) {
        let mut idle = self.sockets.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.values().map(Vec::len).sum::<usize>() >= MOST {
            idle.clear();
        }
        idle.entry(place.to_owned()).or_default().push(connection);
    }

    async fn connect(
        &self,
        place: &str,
        max_bytes: usize,
        deadline: Deadline,
    ) -> Result<Connection, Failure> {
        let left = deadline.remaining(&*self.clock);
        let socket = tokio::time::timeout(left, open(place, max_bytes, self.meta()["agentName"].as_str()))
            .await
            .unwrap_or_else(|_| Err(late()))?;
        Ok(Connection { socket, heard: self.clock.now() })
    }
}

/// Opens a WebSocket, with TLS if its address says so.
async fn open(place: &str, max_bytes: usize, agent: Option<&str>) -> Result<Socket, Failure> {
    let unreachable = |why: String| {
        let message = format!("the WebSocket of the bridge cannot be reached: {why}");
        Failure::new(ErrorCode::TransportFailed, message).with_evidence("url", place)
    };
    let url = Url::parse(place).map_err(|error| unreachable(error.to_string()))?;
    let host = url.host_str().ok_or_else(|| unreachable("the address has no host".to_owned()))?;
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let secure = url.scheme() == "wss";
    let port = url.port_or_known_default().unwrap_or(if secure { 443 } else { 80 });
    let stream = TcpStream::connect((bare, port)).await.map_err(|error| unreachable(error.to_string()))?;
    let _ = stream.set_nodelay(true);
    let stream: Box<dyn Stream> = match secure {
        false => Box::new(stream),
        true => {
            let _ = rustls::crypto::ring::default_provider().install_default();
            let config = rustls::ClientConfig::with_platform_verifier()
                .map_err(|error| unreachable(error.to_string()))?;
            let name = rustls::pki_types::ServerName::try_from(bare.to_owned());
            let name = name.map_err(|error| unreachable(error.to_string()))?;
            let secured = TlsConnector::from(Arc::new(config)).connect(name, stream).await;
            Box::new(secured.map_err(|error| unreachable(error.to_string()))?)
        }
    };
    let mut request = place.into_client_request().map_err(|error| unreachable(error.to_string()))?;
    request.headers_mut().insert("x-wab-version", "1.0".parse().expect("a plain word"));
    if let Some(Ok(agent)) = agent.map(str::parse) {
        request.headers_mut().insert("x-wab-agent-name", agent);
    }
    let config = WebSocketConfig::default().max_message_size(Some(max_bytes)).max_frame_size(Some(max_bytes));
    let opened = tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await;
    opened.map(|(socket, _)| socket).map_err(|error| unreachable(error.to_string()))
}

/// The answer to a command. Events, heartbeats and answers to other commands are passed over.
async fn answer(socket: &mut Socket, id: &str, max_bytes: usize) -> Result<Value, Failure> {
    for _ in 0..OTHERS {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => {
                let message: Option<Value> = serde_json::from_str(&text).ok();
                if let Some(message) = message.filter(|message| message["id"] == id) {
                    return Ok(message);
                }
            }
            Some(Ok(Message::Close(frame))) => return Err(closed(frame.as_ref())),
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(broken(&error, max_bytes)),
            None => return Err(closed(None)),
        }
    }
    Err(Failure::new(ErrorCode::TransportFailed, "the bridge sent many messages and no answer"))
}

fn closed(frame: Option<&CloseFrame>) -> Failure {
    let code = frame.map(|frame| u16::from(frame.code));
    let known = code.and_then(|code| CLOSES.iter().find(|(known, _)| *known == code));
    let named = code.map(|code| format!(" with code {code}")).unwrap_or_default();
    let message = format!("the bridge closed the WebSocket{named} before it answered");
    Failure::new(known.map_or(ErrorCode::TransportFailed, |(_, code)| *code), message)
}

fn broken(error: &Error, max_bytes: usize) -> Failure {
    match error {
        Error::Capacity(CapacityError::MessageTooLong { .. }) => {
            let message = "the answer of the bridge is too large";
            Failure::new(ErrorCode::PayloadTooLarge, message).with_evidence("max_bytes", max_bytes)
        }
        error => {
            Failure::new(ErrorCode::TransportFailed, format!("the WebSocket of the bridge broke: {error}"))
        }
    }
}

fn late() -> Failure {
    Failure::new(ErrorCode::Timeout, "the bridge did not answer in time")
}
