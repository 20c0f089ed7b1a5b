//! A server that writes bytes as a test says, whatever HTTP wants.

use std::future::Future;
use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A server on this machine. It stops when it is dropped.
pub(crate) struct RawServer {
    pub(crate) origin: String,
    accepting: JoinHandle<()>,
}

impl Drop for RawServer {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl RawServer {
    /// Answers each connection by a function, which gets the path of the first request.
    pub(crate) async fn start<A>(answer: impl Fn(TcpStream, String) -> A + Send + Sync + 'static) -> Self
    where
        A: Future<Output = io::Result<()>> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let origin = format!("http://{}", listener.local_addr().expect("an address"));
        let accepting = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                if let Ok(path) = head(&mut stream).await {
                    // A client that goes away is no error.
                    let answering = answer(stream, path);
                    connections.spawn(async move { drop(answering.await) });
                }
            }
        });
        Self { origin, accepting }
    }
}

/// Reads the head of a request and returns its path.
async fn head(stream: &mut TcpStream) -> io::Result<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") && head.len() < 64 << 10 {
        head.push(stream.read_u8().await?);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    Ok(head.split(' ').nth(1).unwrap_or_default().to_owned())
}

/// Writes a whole response.
pub(crate) async fn respond(
    stream: &mut TcpStream,
    status: &str,
    headers: &str,
    body: &[u8],
) -> io::Result<()> {
    let head =
        format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n", body.len());
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body).await?;
    stream.shutdown().await
}
