//! Accepts connections at an address, and answers one request on each.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::gate::{self, Gate};

/// How many connections may be open at once, with those that have not passed the gate.
const CONNECTIONS: usize = 256;

/// How long a client may take to send the head of its request.
const HEAD: Duration = Duration::from_secs(10);

/// How many bytes the head of a request may have.
const HEAD_BYTES: usize = 32 * 1024;

/// How long to wait before accepting again after an error, such as too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// The address that a request comes from, among the extensions of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub SocketAddr);

/// An address at which clients connect.
pub struct Listening {
    listener: TcpListener,
    address: SocketAddr,
    gate: Gate,
}

impl Listening {
    /// Listens at an address; port 0 picks one.
    pub async fn at(address: SocketAddr, gate: Gate) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, gate: gate.for_port(address.port()) })
    }

    /// The address that clients connect to.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests for these paths without a token. What is there must hold nothing that needs one.
    #[must_use]
    pub fn public(mut self, paths: impl IntoIterator<Item = String>) -> Self {
        self.gate = self.gate.public(paths);
        self
    }

    /// Serves what the router has, behind the gate, until `stop` is cancelled. Each request finds the permit of its
    /// connection among its extensions, as `Arc<OwnedSemaphorePermit>`, and the address it comes from, as [`Peer`].
    pub async fn serve(self, router: Router, stop: &CancellationToken) {
        let router = router.layer(axum::middleware::from_fn_with_state(Arc::new(self.gate), gate::pass));
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        let mut connections = JoinSet::new();
        loop {
            while connections.try_join_next().is_some() {}
            let accepting = async {
                let permit = Arc::clone(&room).acquire_owned().await.map_err(io::Error::other)?;
                self.listener.accept().await.map(|(stream, peer)| (stream, Peer(peer), permit))
            };
            let accepted = tokio::select! {
                biased;
                () = stop.cancelled() => break,
                accepted = accepting => accepted,
            };
            match accepted {
                Ok((stream, peer, permit)) => {
                    connections.spawn(answer(stream, peer, router.clone(), permit));
                }
                Err(error) => {
                    tracing::warn!("cannot accept a client: {error}");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
        connections.shutdown().await;
    }
}

/// Answers the one request of a connection. The permit is given back when the connection ends, also as a WebSocket.
async fn answer(stream: TcpStream, peer: Peer, router: Router, permit: OwnedSemaphorePermit) {
    let permit = Arc::new(permit);
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(Arc::clone(&permit));
        request.extensions_mut().insert(peer);
        router.call(request)
    });
    // Answers are small and wait for nothing.
    let _ = stream.set_nodelay(true);
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    if let Err(error) = served.await {
        tracing::debug!("a connection broke off: {error}");
    }
}
