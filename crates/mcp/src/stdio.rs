//! One client on standard input and output, one message per line.

use actions_engine::CancellationToken;
use rmcp::serve_server;
use rmcp::service::ServerInitializeError;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::client::{Client, Line};
use crate::server::Server;

/// The longest line that is read.
const LINE: usize = 4 << 20;

/// Why a client on standard input and output is not served any more.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct StdioError(String);

/// Serves one client until it closes its end or `stop` is cancelled.
pub async fn serve<R, W>(
    server: &Server,
    read: R,
    write: W,
    stop: &CancellationToken,
) -> Result<(), StdioError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let transport = AsyncRwTransport::new_server(read, write).with_max_line_length(LINE);
    let client = Client::new(&server.shared, Line::Stdio);
    let running = tokio::select! {
        () = stop.cancelled() => return Ok(()),
        running = serve_server(client, transport) => running,
    };
    let running = match running {
        Ok(running) => running,
        // A client that left before it began is no failure.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => return Ok(()),
        Err(error) => return Err(StdioError(error.to_string())),
    };
    let ended = running.cancellation_token();
    let waiting = running.waiting();
    tokio::pin!(waiting);
    tokio::select! {
        ended = &mut waiting => ended.map(drop).map_err(|error| StdioError(error.to_string())),
        () = stop.cancelled() => {
            ended.cancel();
            waiting.await.map(drop).map_err(|error| StdioError(error.to_string()))
        }
    }
}
