//! The transport of a browser we attach to: a WebSocket.

use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::{self, Message, Utf8Bytes, protocol::WebSocketConfig};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use super::{Connection, LONGEST_MESSAGE};
use crate::{Clock, Deadline, Error};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// How often a silent connection is asked whether it still lives.
const HEARTBEAT: Duration = Duration::from_secs(20);
/// How long saying goodbye may take: a peer that reads nothing any more takes no goodbye either.
const GOODBYE: Duration = Duration::from_secs(1);
/// A browser that answers no question for this long is gone.
const SILENCE: Duration = Duration::from_secs(70);

impl Connection {
    /// Opens a connection over a WebSocket. The tasks end when the connection is lost.
    pub(crate) async fn over_web_socket(
        clock: Arc<dyn Clock>,
        url: &str,
        deadline: Deadline,
    ) -> Result<(Self, Vec<JoinHandle<()>>), Error> {
        let failed = |reason: String| Error::AttachFailed { endpoint: url.to_owned(), reason };
        let config = WebSocketConfig::default()
            .max_message_size(Some(LONGEST_MESSAGE))
            .max_frame_size(Some(LONGEST_MESSAGE));
        let connecting = tokio_tungstenite::connect_async_with_config(url, Some(config), true);
        let (socket, _response) = tokio::select! {
            connected = connecting => connected.map_err(|error| failed(error.to_string()))?,
            () = clock.sleep_until(deadline.at()) => {
                return Err(failed(format!("no answer within {:?}", deadline.limit())));
            }
        };
        let (sink, stream) = socket.split();
        let (connection, outgoing) = Connection::new(clock);
        let writer = tokio::spawn(write(connection.clone(), sink, outgoing));
        let reader = tokio::spawn(read(connection.clone(), stream));
        Ok((connection, vec![writer, reader]))
    }
}

async fn write(
    connection: Connection,
    mut sink: SplitSink<Socket, Message>,
    mut outgoing: mpsc::UnboundedReceiver<Vec<u8>>,
) {
    let mut lost = connection.lost();
    let clock = connection.clock().clone();
    let writing = async {
        loop {
            let heartbeat = clock.sleep_until(clock.now() + HEARTBEAT);
            tokio::select! {
                message = outgoing.recv() => match message {
                    Some(message) => {
                        let text = Utf8Bytes::try_from(message).map_err(|error| tungstenite::Error::Utf8(error.to_string()))?;
                        sink.send(Message::Text(text)).await?;
                    }
                    None => return Ok(()),
                },
                () = heartbeat => sink.send(Message::Ping(Default::default())).await?,
            }
        }
    };
    let written: Result<(), tungstenite::Error> = tokio::select! {
        written = writing => written,
        _ = lost.wait_for(Option::is_some) => Ok(()),
    };
    match written {
        Err(error) => connection.lose(&format!("writing to the browser failed: {error}")),
        // The peer may be gone already; closing is a courtesy.
        Ok(()) => tokio::select! {
            _ = sink.close() => {}
            () = clock.sleep_until(clock.now() + GOODBYE) => {}
        },
    }
}

async fn read(connection: Connection, mut stream: SplitStream<Socket>) {
    let mut lost = connection.lost();
    let clock = connection.clock().clone();
    let reading = async {
        loop {
            let message = tokio::select! {
                message = stream.next() => message,
                () = clock.sleep_until(clock.now() + SILENCE) => {
                    return format!("the browser has been silent for {SILENCE:?}");
                }
            };
            match message {
                Some(Ok(Message::Text(text))) => connection.receive(text.as_bytes()),
                Some(Ok(Message::Close(_))) | None => return "the browser closed the connection".to_owned(),
                Some(Ok(_)) => {}
                Some(Err(error)) => return format!("reading from the browser failed: {error}"),
            }
        }
    };
    tokio::select! {
        reason = reading => connection.lose(&reason),
        _ = lost.wait_for(Option::is_some) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tokio::net::TcpListener;

    use super::*;
    use crate::SystemClock;

    #[tokio::test]
    async fn a_peer_that_reads_nothing_does_not_hold_up_the_end() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("ws://{}/", listener.local_addr().unwrap());
        let soon = Deadline::after(&SystemClock, Duration::from_secs(60));
        let deaf = async {
            let (stream, _) = listener.accept().await.unwrap();
            tokio_tungstenite::accept_async(stream).await.unwrap()
        };
        let (connected, _deaf) =
            tokio::join!(Connection::over_web_socket(Arc::new(SystemClock), &url, soon), deaf);
        let (connection, tasks) = connected.unwrap();
        // More than any buffer between here and there takes.
        let much = json!({ "text": "x".repeat(64 << 20) });
        let _pending = connection.browser().unwrap().send_raw("Runtime.evaluate", &much, soon);
        tokio::task::yield_now().await;
        connection.lose("the browser was closed");
        for task in tasks {
            tokio::time::timeout(Duration::from_secs(60), task).await.expect("the task ends").unwrap();
        }
    }
}
