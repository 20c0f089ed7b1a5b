//! Clients at an address of this machine, by streamable HTTP.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use actions_doors::Gate;
use actions_engine::CancellationToken;
use axum::Router;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use crate::client::{Client, Line};
use crate::server::Server;

/// The path that clients connect to.
const PATH: &str = "/mcp";

/// The largest message of a client.
const BODY: usize = 4 << 20;

/// A client that has a session and says nothing for this long is forgotten.
const IDLE: Duration = Duration::from_secs(30 * 60);

/// How many clients there may be at once.
const CLIENTS: usize = 256;

/// An address at which clients connect.
pub struct Listening {
    listening: actions_doors::Listening,
}

impl Listening {
    /// Listens at an address; port 0 picks one.
    pub async fn at(address: SocketAddr, gate: Gate) -> io::Result<Self> {
        Ok(Self { listening: actions_doors::Listening::at(address, gate).await? })
    }

    /// The address that clients connect to.
    pub fn url(&self) -> String {
        format!("http://{}{PATH}", self.listening.address())
    }

    /// Serves clients until `stop` is cancelled.
    pub async fn serve(self, server: &Server, stop: &CancellationToken) {
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(IDLE);
        // The gate has checked the token, the host and the origin of each request before it comes here.
        let config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_max_request_body_bytes(BODY)
            .with_cancellation_token(stop.child_token());
        let shared = Arc::clone(&server.shared);
        let make = move || match shared.clients() < CLIENTS {
            true => Ok(Client::new(&shared, Line::Http)),
            false => Err(io::Error::other("too many clients are connected")),
        };
        let service = StreamableHttpService::new(make, Arc::new(sessions), config);
        self.listening.serve(Router::new().route_service(PATH, service), stop).await;
    }
}
