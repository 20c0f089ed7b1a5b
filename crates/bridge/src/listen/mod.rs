//! WebSocket clients at an address of this machine.
//!
//! Requests pass the gate first: a token, a known `Host`, no foreign `Origin`. Each client has a task of its own, so a slow
//! one does not hold up another.

mod gate;
mod pace;
mod socket;
mod token;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use actions_engine::CancellationToken;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{
    CONNECTION, HeaderName, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL,
    SEC_WEBSOCKET_VERSION, UPGRADE,
};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use crate::bridge::Bridge;
use crate::people::{People, Room};
pub use gate::{Gate, Reporter};
pub use token::{Token, TokenError};

/// The path that WebSocket clients connect to.
const PATH: &str = "/bridge";

/// The subprotocol of clients that cannot set headers; such a client sends its token as another one.
const SUBPROTOCOL: &str = "actions-bridge";

/// How many connections may be open at once, with those that have not passed the gate.
const CONNECTIONS: usize = 256;

/// How many WebSocket clients may be connected at once.
const CLIENTS: usize = 64;

/// How long a client may take to send the head of its request, and to become a WebSocket.
const HEAD: Duration = Duration::from_secs(10);

/// How many bytes the head of a request may have.
const HEAD_BYTES: usize = 32 * 1024;

/// The largest body of a request.
const BODY: usize = 4 * 1024;

/// How long to wait before accepting again after an error, such as too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// An address at which clients connect.
pub struct Listening {
    listener: TcpListener,
    address: SocketAddr,
    gate: Gate,
    people: Option<People>,
}

impl Listening {
    /// Listens at an address; port 0 picks one.
    pub async fn at(address: SocketAddr, gate: Gate) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, gate: gate.for_port(address.port()), people: None })
    }

    /// The address that clients connect to.
    pub fn url(&self) -> String {
        format!("ws://{}{PATH}", self.address)
    }

    /// Also serves a page for people.
    #[must_use]
    pub fn with_page(mut self, people: People) -> Self {
        self.gate = self.gate.with_page();
        self.people = Some(people);
        self
    }

    /// The address of the page for people, without the token that opens it.
    pub fn page_url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Serves clients until `stop` is cancelled.
    pub async fn serve(self, bridge: &Bridge, stop: &CancellationToken) {
        let doors = Doors { bridge: bridge.clone(), clients: Arc::new(Semaphore::new(CLIENTS)) };
        let router = router(doors, self.gate, self.people);
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        let mut connections = JoinSet::new();
        loop {
            while connections.try_join_next().is_some() {}
            let accepting = async {
                let permit = Arc::clone(&room).acquire_owned().await.map_err(io::Error::other)?;
                self.listener.accept().await.map(|(stream, _)| (stream, permit))
            };
            let accepted = tokio::select! {
                biased;
                () = stop.cancelled() => break,
                accepted = accepting => accepted,
            };
            match accepted {
                Ok((stream, permit)) => {
                    connections.spawn(answer(stream, router.clone(), permit));
                }
                Err(error) => {
                    tracing::warn!("cannot accept a client: {error}");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
        connections.shutdown().await;
        bridge.close().await;
    }
}

/// What the handlers of requests share.
#[derive(Clone)]
struct Doors {
    bridge: Bridge,
    clients: Arc<Semaphore>,
}

/// Everything that is served at the address. All of it is behind the gate.
fn router(doors: Doors, gate: Gate, people: Option<People>) -> Router {
    let room = people.map(|people| Room { bridge: doors.bridge.clone(), people });
    let page = room.map(crate::people::router).unwrap_or_default();
    Router::new()
        .route(PATH, axum::routing::get(upgrade))
        .with_state(doors)
        .merge(page)
        .layer(axum::extract::DefaultBodyLimit::max(BODY))
        .layer(axum::middleware::from_fn_with_state(Arc::new(gate), gate::pass))
}

/// Answers the one request of a connection. The permit is given back when the connection ends, also as a WebSocket.
async fn answer(stream: TcpStream, router: Router, permit: OwnedSemaphorePermit) {
    let permit = Arc::new(permit);
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(Arc::clone(&permit));
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

/// Makes a WebSocket of a connection.
async fn upgrade(State(doors): State<Doors>, mut request: Request) -> Response {
    let refused = |status: StatusCode, why: &'static str| (status, why).into_response();
    let Some(accept) = websocket_key(request.headers()) else {
        let mut response = refused(StatusCode::UPGRADE_REQUIRED, "connect with a WebSocket client\n");
        response.headers_mut().insert(UPGRADE, "websocket".parse().expect("a plain word"));
        return response;
    };
    let name = match client_name(request.uri().query()) {
        Ok(name) => name,
        Err(why) => return refused(StatusCode::BAD_REQUEST, why),
    };
    let Ok(client_permit) = Arc::clone(&doors.clients).try_acquire_owned() else {
        return refused(StatusCode::SERVICE_UNAVAILABLE, "too many clients are connected\n");
    };
    let has_subprotocol =
        listed(request.headers(), &SEC_WEBSOCKET_PROTOCOL).any(|protocol| protocol == SUBPROTOCOL);
    let permit = request.extensions_mut().remove::<Arc<OwnedSemaphorePermit>>();
    let upgraded = hyper::upgrade::on(&mut request);
    let bridge = doors.bridge.clone();
    doors.bridge.shared.spawn(async move {
        match tokio::time::timeout(HEAD, upgraded).await {
            Ok(Ok(stream)) => socket::serve(TokioIo::new(stream), &bridge, name).await,
            Ok(Err(error)) => tracing::debug!("a client did not become a WebSocket: {error}"),
            Err(_) => tracing::debug!("a client did not become a WebSocket in time"),
        }
        drop((client_permit, permit));
    });
    let mut response = StatusCode::SWITCHING_PROTOCOLS.into_response();
    let headers = response.headers_mut();
    headers.insert(CONNECTION, "upgrade".parse().expect("a plain word"));
    headers.insert(UPGRADE, "websocket".parse().expect("a plain word"));
    if let Ok(accept) = accept.parse() {
        headers.insert(SEC_WEBSOCKET_ACCEPT, accept);
    }
    if has_subprotocol {
        headers.insert(SEC_WEBSOCKET_PROTOCOL, SUBPROTOCOL.parse().expect("a plain word"));
    }
    response
}

/// The answer to the key of a WebSocket client, if the request is one.
fn websocket_key(headers: &HeaderMap) -> Option<String> {
    let lists =
        |name: &HeaderName, word: &str| listed(headers, name).any(|item| item.eq_ignore_ascii_case(word));
    let asks =
        lists(&CONNECTION, "upgrade") && lists(&UPGRADE, "websocket") && lists(&SEC_WEBSOCKET_VERSION, "13");
    headers.get(SEC_WEBSOCKET_KEY).filter(|_| asks).map(|key| derive_accept_key(key.as_bytes()))
}

/// The items of a header that is a list.
fn listed<'h>(headers: &'h HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'h str> {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',').map(str::trim))
}

/// The name by which a client wants to be known when it comes back: `?client=NAME`.
fn client_name(query: Option<&str>) -> Result<Option<String>, &'static str> {
    let name =
        query.into_iter().flat_map(|query| query.split('&')).find_map(|pair| pair.strip_prefix("client="));
    match name {
        None => Ok(None),
        Some(name) if actions_runtime::check_name(name).is_ok() => Ok(Some(name.to_owned())),
        Some(_) => Err("a client is named by at most 64 ASCII letters, digits, `-`, `_` and `.`\n"),
    }
}
