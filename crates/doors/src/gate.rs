//! Decides which requests are answered: those with the token, for a host of ours, and not from a foreign web page.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONNECTION, HOST, ORIGIN, SEC_WEBSOCKET_PROTOCOL, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::reports::{Reporter, Reports};
use crate::token::Token;

/// What a token begins with when it is sent as a WebSocket subprotocol, by clients that cannot set headers.
const TOKEN_PROTOCOL: &str = "token.";

/// Names of this machine for itself.
const LOOPBACK: &[&str] = &["localhost", "127.0.0.1", "[::1]"];

/// Which requests are answered.
pub struct Gate {
    token: Token,
    hosts: Vec<String>,
    origins: Vec<String>,
    port: u16,
    /// The paths that need no token.
    public: Vec<String>,
    /// Whether what is behind the gate decides about tokens and origins by itself.
    only_hosts: bool,
    reports: Arc<Reports>,
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    Host,
    Origin,
    Token,
}

impl Refusal {
    fn status(self) -> StatusCode {
        match self {
            Self::Host | Self::Origin => StatusCode::FORBIDDEN,
            Self::Token => StatusCode::UNAUTHORIZED,
        }
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::Host => "the `Host` header does not name this server",
            Self::Origin => "the request comes from a web page of another origin",
            Self::Token => "the request has no token, or a wrong one",
        }
    }
}

impl Gate {
    /// Lets clients with this token in, at the loopback names of this machine.
    pub fn new(token: Token) -> Self {
        Self {
            token,
            hosts: LOOPBACK.iter().map(|host| (*host).to_owned()).collect(),
            origins: Vec::new(),
            port: 0,
            public: Vec::new(),
            only_hosts: false,
            reports: Arc::new(Reports::to(Arc::new(|_| {}))),
        }
    }

    /// Checks nothing but the host. What is behind the gate has tokens and rules for origins of its own.
    #[must_use]
    pub fn only_hosts(mut self) -> Self {
        self.only_hosts = true;
        self
    }

    /// Also answers requests for these hosts, such as the name of the machine in its network.
    #[must_use]
    pub fn hosts(mut self, hosts: impl IntoIterator<Item = String>) -> Self {
        self.hosts.extend(hosts.into_iter().map(|host| host.to_ascii_lowercase()));
        self
    }

    /// The origins whose web pages may connect, beside our own.
    pub fn allowed_origins(&self) -> &[String] {
        &self.origins
    }

    /// Also lets web pages of these origins connect.
    #[must_use]
    pub fn origins(mut self, origins: impl IntoIterator<Item = String>) -> Self {
        self.origins.extend(origins);
        self
    }

    /// Reports refused requests, and what the server that stands behind the gate adds.
    #[must_use]
    pub fn reporting(mut self, reporter: Reporter) -> Self {
        self.reports = Arc::new(Reports::to(reporter));
        self
    }

    /// Where refusals are reported. They and what else is reported there have one limit.
    pub fn reports(&self) -> Arc<Reports> {
        Arc::clone(&self.reports)
    }

    pub(crate) fn for_port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// Answers requests for these paths without a token. What is there must hold nothing that needs one.
    #[must_use]
    pub fn public(mut self, paths: impl IntoIterator<Item = String>) -> Self {
        self.public.extend(paths);
        self
    }

    fn is_public(&self, path: &str) -> bool {
        self.public.iter().any(|public| public == path)
    }

    fn check(&self, path: &str, headers: &HeaderMap) -> Result<(), Refusal> {
        let authority = only(headers, &HOST).ok_or(Refusal::Host)?;
        if !self.is_ours(&authority.to_ascii_lowercase()) {
            return Err(Refusal::Host);
        }
        if self.only_hosts {
            return Ok(());
        }
        if headers.contains_key(ORIGIN) {
            let origin = only(headers, &ORIGIN).ok_or(Refusal::Origin)?;
            // A page that this server itself has served.
            let is_own =
                origin.strip_prefix("http://").is_some_and(|host| host.eq_ignore_ascii_case(authority));
            if !is_own && !self.origins.iter().any(|allowed| allowed == origin) {
                return Err(Refusal::Origin);
            }
        }
        if self.is_public(path) {
            return Ok(());
        }
        let bearer = only(headers, &AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        let listed = listed(headers, &SEC_WEBSOCKET_PROTOCOL);
        let mut given = bearer.into_iter().chain(listed.filter_map(|item| item.strip_prefix(TOKEN_PROTOCOL)));
        match given.any(|token| self.token.is(token)) {
            true => Ok(()),
            false => Err(Refusal::Token),
        }
    }

    /// Whether an authority is a host of ours with our port.
    fn is_ours(&self, authority: &str) -> bool {
        self.hosts.iter().any(|host| match authority.strip_prefix(host.as_str()) {
            Some("") => self.port == 80,
            Some(port) => port.strip_prefix(':').is_some_and(|port| port == self.port.to_string()),
            None => false,
        })
    }

    fn report(&self, refusal: Refusal) {
        self.reports.report(&format!("refused a request: {}", refusal.sentence()));
    }
}

/// The only value of a header.
fn only<'h>(headers: &'h HeaderMap, name: &axum::http::HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).into_iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// The items of a header that is a list.
pub fn listed<'h>(headers: &'h HeaderMap, name: &axum::http::HeaderName) -> impl Iterator<Item = &'h str> {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',').map(str::trim))
}

/// Lets a request pass or refuses it.
pub(crate) async fn pass(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let mut response = match gate.check(request.uri().path(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => {
            gate.report(refusal);
            let body = format!("{}\n", refusal.sentence());
            let mut response = (refusal.status(), body).into_response();
            if refusal == Refusal::Token {
                response.headers_mut().insert(WWW_AUTHENTICATE, "Bearer".parse().expect("a plain word"));
            }
            response
        }
    };
    // One request per connection, so that an idle connection takes no room.
    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        response.headers_mut().insert(CONNECTION, "close".parse().expect("a plain word"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "0123456789abcdef";

    fn check(headers: &[(&str, &str)]) -> Result<(), Refusal> {
        let gate = Gate::new(Token::parse(SECRET).unwrap())
            .hosts(["box.example".to_owned()])
            .origins(["https://app.example".to_owned()])
            .for_port(9000);
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(axum::http::HeaderName::try_from(*name).unwrap(), value.parse().unwrap());
        }
        gate.check("/bridge", &map)
    }

    #[test]
    fn only_requests_with_the_token_for_a_host_of_ours_and_from_no_foreign_page_pass() {
        let bearer = format!("Bearer {SECRET}");
        let token = ("authorization", bearer.as_str());
        let listed = format!("actions-bridge, token.{SECRET}");
        let host = ("host", "127.0.0.1:9000");
        type Headers<'h> = &'h [(&'h str, &'h str)];
        let table: &[(Headers<'_>, Result<(), Refusal>)] = &[
            (&[host, token], Ok(())),
            (&[("host", "LOCALHOST:9000"), token], Ok(())),
            (&[("host", "[::1]:9000"), token], Ok(())),
            (&[("host", "box.example:9000"), token], Ok(())),
            (&[host, ("sec-websocket-protocol", &listed)], Ok(())),
            (&[host, token, ("origin", "http://127.0.0.1:9000")], Ok(())),
            (&[host, token, ("origin", "https://app.example")], Ok(())),
            (&[token], Err(Refusal::Host)),
            (&[host, host, token], Err(Refusal::Host)),
            (&[("host", "127.0.0.1"), token], Err(Refusal::Host)),
            (&[("host", "127.0.0.1:9001"), token], Err(Refusal::Host)),
            (&[("host", "rebound.example:9000"), token], Err(Refusal::Host)),
            (&[("host", "127.0.0.1.rebound.example:9000"), token], Err(Refusal::Host)),
            (&[host, token, ("origin", "https://evil.example")], Err(Refusal::Origin)),
            (&[host, token, ("origin", "null")], Err(Refusal::Origin)),
            (&[host, token, ("origin", "http://localhost:9000")], Err(Refusal::Origin)),
            (&[host], Err(Refusal::Token)),
            (&[host, ("authorization", "Bearer 0123456789abcdee")], Err(Refusal::Token)),
            (&[host, ("authorization", "Bearer ")], Err(Refusal::Token)),
            (&[host, ("sec-websocket-protocol", "actions-bridge, token.")], Err(Refusal::Token)),
        ];
        for (headers, expected) in table {
            assert_eq!(check(headers), *expected, "{headers:?}");
        }
    }
}
