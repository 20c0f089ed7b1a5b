//! WebSocket clients at an address of this machine.
//!
//! Requests pass the gate first: a token, a known `Host`, no foreign `Origin`. Each client has a task of its own, so a slow
//! one does not hold up another.

mod pace;
mod socket;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use actions_doors::{Reports, listed};
use actions_engine::CancellationToken;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{
    CONNECTION, HeaderName, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL,
    SEC_WEBSOCKET_VERSION, UPGRADE,
};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use hyper_util::rt::TokioIo;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use crate::bridge::Bridge;
use crate::people::{FILES, People, Room};
pub use actions_doors::{Gate, Reporter, Token, TokenError};

/// The path that WebSocket clients connect to.
const PATH: &str = "/bridge";

/// The subprotocol of clients that cannot set headers; such a client sends its token as another one.
const SUBPROTOCOL: &str = "actions-bridge";

/// How many WebSocket clients may be connected at once.
const CLIENTS: usize = 64;

/// How long a client may take to become a WebSocket.
const HEAD: Duration = Duration::from_secs(10);

/// The largest body of a request.
const BODY: usize = 4 * 1024;

/// An address at which clients connect.
pub struct Listening {
    listening: actions_doors::Listening,
    reports: Arc<Reports>,
    people: Option<People>,
}

impl Listening {
    /// Listens at an address; port 0 picks one.
    pub async fn at(address: SocketAddr, gate: Gate) -> io::Result<Self> {
        let reports = gate.reports();
        let listening = actions_doors::Listening::at(address, gate).await?;
        Ok(Self { listening, reports, people: None })
    }

    /// The address that clients connect to.
    pub fn url(&self) -> String {
        format!("ws://{}{PATH}", self.listening.address())
    }

    /// Also serves a page for people.
    #[must_use]
    pub fn with_page(mut self, people: People) -> Self {
        self.listening = self.listening.public(FILES.iter().map(|(path, ..)| (*path).to_owned()));
        self.people = Some(people);
        self
    }

    /// The address of the page for people, without the token that opens it.
    pub fn page_url(&self) -> String {
        format!("http://{}/", self.listening.address())
    }

    /// Serves clients until `stop` is cancelled.
    pub async fn serve(self, bridge: &Bridge, stop: &CancellationToken) {
        let clients = Arc::new(Semaphore::new(CLIENTS));
        let doors = Doors { bridge: bridge.clone(), clients, reports: self.reports };
        self.listening.serve(router(doors, self.people), stop).await;
        bridge.close().await;
    }
}

/// What the handlers of requests share.
#[derive(Clone)]
struct Doors {
    bridge: Bridge,
    clients: Arc<Semaphore>,
    reports: Arc<Reports>,
}

/// Everything that is served at the address. All of it is behind the gate.
fn router(doors: Doors, people: Option<People>) -> Router {
    let room = people.map(|people| Room { bridge: doors.bridge.clone(), people });
    let page = room.map(crate::people::router).unwrap_or_default();
    Router::new()
        .route(PATH, axum::routing::get(upgrade))
        .with_state(doors)
        .merge(page)
        .layer(axum::extract::DefaultBodyLimit::max(BODY))
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
    // Connected here and not by the task, so that of two connections with one name the later one stays.
    let connection = doors.bridge.connect(name);
    doors.bridge.shared.spawn(async move {
        match tokio::time::timeout(HEAD, upgraded).await {
            Ok(Ok(stream)) => socket::serve(TokioIo::new(stream), connection, &doors.reports).await,
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
