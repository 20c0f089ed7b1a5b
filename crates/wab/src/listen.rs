//! Serves a bridge at an address: HTTP and WebSocket.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actions_doors::{Gate, listed};
use axum::extract::{Request, State};
use axum::http::header::{
    CONNECTION, HeaderName, ORIGIN, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE,
};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use hyper_util::rt::TokioIo;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_util::sync::CancellationToken;

use crate::bridge::Bridge;
use crate::document::{PLACES, SOCKET};
use crate::{http, socket};

/// How many agents may be connected by WebSocket at once.
const CLIENTS: usize = 64;
/// How long an agent may take to become a WebSocket.
const HEAD: Duration = Duration::from_secs(10);

/// An address at which agents connect.
pub struct Listening {
    listening: actions_doors::Listening,
}

impl Listening {
    /// Listens at an address; port 0 picks one. Of the gate only the hosts count: the protocol has tokens and rules for origins
    /// of its own.
    pub async fn at(address: SocketAddr, gate: Gate) -> io::Result<Self> {
        Ok(Self { listening: actions_doors::Listening::at(address, gate.only_hosts()).await? })
    }

    /// The address of the discovery document.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.listening.address(), PLACES[0])
    }

    /// Serves agents until `stop` is cancelled.
    pub async fn serve(self, bridge: &Bridge, stop: &CancellationToken) {
        bridge.shared.served_at(self.listening.address().to_string());
        let sockets: Sockets = Arc::default();
        let doors = Doors {
            bridge: bridge.clone(),
            clients: Arc::new(Semaphore::new(CLIENTS)),
            stop: stop.clone(),
            sockets: sockets.clone(),
        };
        let upgrades = axum::Router::new().route(SOCKET, axum::routing::get(upgrade)).with_state(doors);
        self.listening.serve(http::router(bridge.clone()).merge(upgrades), stop).await;
        let mut ending = std::mem::take(&mut *sockets.lock().unwrap_or_else(PoisonError::into_inner));
        // Each connection has a limit for its own end.
        while ending.join_next().await.is_some() {}
    }
}

/// What the handlers of requests share.
#[derive(Clone)]
struct Doors {
    bridge: Bridge,
    clients: Arc<Semaphore>,
    stop: CancellationToken,
    sockets: Sockets,
}

/// The connections that are open.
type Sockets = Arc<Mutex<JoinSet<()>>>;

/// Makes a WebSocket of a connection.
async fn upgrade(State(doors): State<Doors>, mut request: Request) -> Response {
    let refused = |status: StatusCode, why: &'static str| (status, why).into_response();
    let Some(accept) = websocket_key(request.headers()) else {
        let mut response = refused(StatusCode::UPGRADE_REQUIRED, "connect with a WebSocket client\n");
        response.headers_mut().insert(UPGRADE, "websocket".parse().expect("a plain word"));
        return response;
    };
    let from = request.headers().get(ORIGIN).map(|value| value.to_str().unwrap_or("unreadable").to_owned());
    if !doors.bridge.shared.origins().accept(from.as_deref()) {
        return refused(StatusCode::FORBIDDEN, "the page is not of an origin that the bridge accepts\n");
    }
    let Ok(client) = Arc::clone(&doors.clients).try_acquire_owned() else {
        return refused(StatusCode::SERVICE_UNAVAILABLE, "too many agents are connected\n");
    };
    let caller = http::caller(request.extensions(), request.headers(), from);
    let permit = request.extensions_mut().remove::<Arc<OwnedSemaphorePermit>>();
    let upgraded = hyper::upgrade::on(&mut request);
    let (bridge, stop) = (doors.bridge.clone(), doors.stop.clone());
    let serving = async move {
        match tokio::time::timeout(HEAD, upgraded).await {
            Ok(Ok(stream)) => Box::pin(socket::serve(TokioIo::new(stream), bridge, caller, stop)).await,
            Ok(Err(error)) => tracing::debug!("an agent did not become a WebSocket: {error}"),
            Err(_) => tracing::debug!("an agent did not become a WebSocket in time"),
        }
        drop((client, permit));
    };
    {
        let mut sockets = doors.sockets.lock().unwrap_or_else(PoisonError::into_inner);
        while sockets.try_join_next().is_some() {}
        sockets.spawn(serving);
    }
    let mut response = StatusCode::SWITCHING_PROTOCOLS.into_response();
    let headers = response.headers_mut();
    headers.insert(CONNECTION, "upgrade".parse().expect("a plain word"));
    headers.insert(UPGRADE, "websocket".parse().expect("a plain word"));
    if let Ok(accept) = accept.parse() {
        headers.insert(SEC_WEBSOCKET_ACCEPT, accept);
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
