//! One WebSocket client: reads its items, writes those for it, and ends when either side does.

use std::time::Duration;

use actions_doors::Reports;
use futures_util::{SinkExt, Stream, StreamExt};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::CapacityError;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Bytes, Error, Message, Utf8Bytes};

use super::pace::Pace;
use crate::client::Dismissal;
use crate::connection::Connection;
use crate::limits;

/// The time between two pings.
const PING: Duration = Duration::from_secs(15);

/// A client from which nothing has come for this long, not even the answer to a ping, is gone.
const SILENCE: Duration = Duration::from_secs(50);

/// How long a client may take to read an item.
const READING: Duration = Duration::from_secs(30);

/// How long the end of a connection may take.
const CLOSING: Duration = Duration::from_secs(2);

/// Serves a client until it leaves or has to.
pub(super) async fn serve(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    connection: Connection,
    reports: &Reports,
) {
    let limit = Some(limits::ITEM.0);
    let config = WebSocketConfig::default().max_message_size(limit).max_frame_size(limit);
    let socket = WebSocketStream::from_raw_socket(stream, Role::Server, Some(config)).await;
    let (mut sink, mut stream) = socket.split();
    let writing = async {
        let mut ping = tokio::time::interval_at(tokio::time::Instant::now() + PING, PING);
        loop {
            let (message, is_item) = tokio::select! {
                biased;
                next = connection.next() => match next {
                    Ok(text) => (Message::Text(Utf8Bytes::from(&*text)), true),
                    Err(why) => return Some(why.into()),
                },
                _ = ping.tick() => (Message::Ping(Bytes::new()), false),
            };
            match tokio::time::timeout(READING, sink.send(message)).await {
                Ok(Ok(())) if is_item => connection.written(),
                Ok(Ok(())) => {}
                // Nothing more can be written, not even why.
                Ok(Err(_)) | Err(_) => return None,
            }
        }
    };
    let end: Option<CloseFrame> = tokio::select! {
        end = read(&connection, &mut stream, reports) => end,
        end = writing => end,
    };
    // Dropped first, so that the client is free to come back at once.
    drop(connection);
    if let Some(frame) = end {
        if is_fault(frame.code) {
            reports.report(&format!("closed the connection of a client: {}", frame.reason));
        }
        let closing = async {
            // The client may be gone.
            let _ = sink.send(Message::Close(Some(frame))).await;
            while let Some(Ok(_)) = stream.next().await {}
        };
        let _ = tokio::time::timeout(CLOSING, closing).await;
    }
}

/// Takes what the client sends. Returns how to close the connection, if there is a reason to tell.
async fn read(
    connection: &Connection,
    stream: &mut (impl Stream<Item = Result<Message, Error>> + Unpin),
    reports: &Reports,
) -> Option<CloseFrame> {
    let mut pace = Pace::new();
    let mut is_reported = false;
    loop {
        if pace.one().await && !is_reported {
            is_reported = true;
            reports.report(Pace::SENTENCE);
        }
        let message = tokio::time::timeout(SILENCE, stream.next()).await.ok()??;
        match message {
            Ok(Message::Text(text)) => connection.receive(&text),
            Ok(Message::Binary(_)) => return Some(frame(CloseCode::Unsupported, "items are text")),
            Ok(Message::Close(_)) => return None,
            Ok(_) => {}
            Err(Error::Capacity(CapacityError::MessageTooLong { .. })) => {
                return Some(frame(CloseCode::Size, "the message is too large"));
            }
            Err(_) => return Some(frame(CloseCode::Protocol, "the message breaks the WebSocket protocol")),
        }
    }
}

/// Whether a connection is closed with this code because of what its client did.
fn is_fault(code: CloseCode) -> bool {
    matches!(code, CloseCode::Policy | CloseCode::Size | CloseCode::Unsupported | CloseCode::Protocol)
}

fn frame(code: CloseCode, reason: &'static str) -> CloseFrame {
    CloseFrame { code, reason: Utf8Bytes::from_static(reason) }
}

impl From<Dismissal> for CloseFrame {
    fn from(why: Dismissal) -> Self {
        match why {
            Dismissal::TooSlow => frame(CloseCode::Policy, "the client reads too slowly"),
            Dismissal::NoItems => frame(CloseCode::Policy, "too many messages are no items"),
            Dismissal::Replaced => frame(CloseCode::Library(4000), "the same client has connected again"),
            Dismissal::Closing => frame(CloseCode::Away, "the server is closing"),
        }
    }
}
