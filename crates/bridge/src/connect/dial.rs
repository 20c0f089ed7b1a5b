//! Opens a WebSocket to an address.

use std::time::Duration;

use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// How long an attempt may take.
const OPENING: Duration = Duration::from_secs(8);

/// The largest message of the peer: it sends a whole map with a call.
const LARGEST_MESSAGE: usize = 16 << 20;

/// Where to dial.
#[derive(Clone, Debug)]
pub(super) struct Address {
    url: String,
    host: String,
    port: u16,
}

impl Address {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let refused = |why: &str| Err(format!("`{}` {why}", text.escape_debug()));
        let Some(rest) = text.strip_prefix("ws://") else {
            return refused("is no ws:// address; a connection with TLS is not supported");
        };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') {
            return refused("has a name or password, which would not be sent");
        }
        let uri: Result<hyper::Uri, _> = text.parse();
        let Ok(uri) = uri else { return refused("is no address") };
        let Some(host) = uri.host().filter(|host| !host.is_empty()) else { return refused("names no host") };
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        Ok(Self { url: text.to_owned(), host, port: uri.port_u16().unwrap_or(80) })
    }

    /// The address without its query, which may be a secret.
    pub(super) fn shown(&self) -> &str {
        self.url.split(['?', '#']).next().unwrap_or_default()
    }
}

/// Why an attempt failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum DialError {
    #[error("{0}")]
    Unreachable(#[from] std::io::Error),
    #[error("{0}")]
    Refused(#[from] Box<Error>),
    #[error("it did not answer within {OPENING:?}")]
    Late,
}

/// Opens a WebSocket.
pub(super) async fn dial(address: &Address) -> Result<WebSocketStream<TcpStream>, DialError> {
    let opening = async {
        let stream = TcpStream::connect((address.host.as_str(), address.port)).await?;
        // Answers are small and wait for nothing.
        let _ = stream.set_nodelay(true);
        let request = address.url.as_str().into_client_request().map_err(Box::new)?;
        let limit = Some(LARGEST_MESSAGE);
        let config = WebSocketConfig::default().max_message_size(limit).max_frame_size(limit);
        let opened = tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await;
        Ok(opened.map_err(Box::new)?.0)
    };
    tokio::time::timeout(OPENING, opening).await.unwrap_or(Err(DialError::Late))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_plain_websocket_without_credentials() {
        let address = Address::parse("ws://127.0.0.1:17345/extension?key=secret").unwrap();
        assert_eq!((address.host.as_str(), address.port), ("127.0.0.1", 17345));
        assert_eq!(address.shown(), "ws://127.0.0.1:17345/extension");
        assert_eq!(Address::parse("ws://[::1]/").unwrap().host, "::1");
        for wrong in
            ["wss://a.example/", "http://a.example/", "ws://", "ws://user:secret@a.example/", "ws://a b/"]
        {
            Address::parse(wrong).unwrap_err();
        }
    }
}
