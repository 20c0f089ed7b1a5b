//! Talks with the peer over one connection: what waits is written, what arrives is taken, and pages stay alive.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use super::inbound::receive;
use super::maps::PeerMaps;
use crate::bridge::Bridge;
use crate::connection::Connection;

/// How often the pages are reported without being asked: a page that the peer has not heard of for five seconds is probed
/// before each call.
const BEAT: Duration = Duration::from_secs(4);

/// After a pause of this length the peer may have probed a page in vain and forgotten it, without a word, so all pages are
/// announced again. It probes what it has not heard of for five seconds.
const STALL: Duration = Duration::from_secs(5);

/// How long the peer may take to read an item.
const READING: Duration = Duration::from_secs(30);

/// The peer reports itself every ten seconds. One that has said nothing for this long is gone.
const SILENCE: Duration = Duration::from_secs(60);

/// How many answers may wait that are not in the order of calls.
const URGENT: usize = 1_024;

/// Serves the peer until the connection ends.
pub(super) async fn converse(
    stream: WebSocketStream<TcpStream>,
    bridge: &Bridge,
    connection: &Connection,
    maps: &PeerMaps,
) {
    let (mut sink, mut stream) = stream.split();
    let (urgent, mut answers) = mpsc::channel::<Value>(URGENT);
    let reading = async {
        loop {
            let message = match tokio::time::timeout(SILENCE, stream.next()).await {
                Ok(Some(Ok(message))) => message,
                Ok(Some(Err(error))) => return tracing::debug!("the peer broke off: {error}"),
                Ok(None) | Err(_) => return,
            };
            match message {
                Message::Text(text) => {
                    for answer in receive(&text, bridge, connection.client(), maps) {
                        // A peer that asks faster than it reads waits here.
                        if urgent.send(answer).await.is_err() {
                            return;
                        }
                    }
                }
                Message::Close(_) => return,
                _ => {}
            }
        }
    };
    let writing = async {
        let mut beat = tokio::time::interval_at(Instant::now() + BEAT, BEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut last_beat = std::time::SystemTime::now();
        loop {
            let (texts, is_item): (Vec<String>, bool) = tokio::select! {
                biased;
                Some(answer) = answers.recv() => (vec![answer.to_string()], false),
                next = connection.next() => match next {
                    Ok(text) => (vec![text.to_string()], true),
                    Err(_) => return,
                },
                _ = beat.tick() => {
                    let now = std::time::SystemTime::now();
                    let stalled = now.duration_since(last_beat).is_ok_and(|pause| pause > STALL);
                    last_beat = now;
                    let items = if stalled { bridge.shared.announcements() } else { bridge.shared.statuses() };
                    (items.iter().map(actions_protocol::Item::to_json).collect(), false)
                }
            };
            for text in texts {
                let sending = sink.send(Message::Text(Utf8Bytes::from(text)));
                if !matches!(tokio::time::timeout(READING, sending).await, Ok(Ok(()))) {
                    return;
                }
            }
            if is_item {
                connection.written();
            }
        }
    };
    tokio::select! {
        () = reading => {}
        () = writing => {}
    }
    // Tells the peer that the pages are gone; it may be gone itself.
    let _ = tokio::time::timeout(Duration::from_secs(1), sink.close()).await;
}
