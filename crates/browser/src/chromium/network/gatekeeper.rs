//! A proxy that connects only to allowed origins.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, copy, copy_bidirectional};
use tokio::net::tcp::OwnedWriteHalf;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

use crate::{Confinement, origin_of};

/// The size limit of the head of a request or response.
const LONGEST_HEAD: u64 = 256 << 10;
/// The time limit for reading the head of a request, and for connecting to a server. A response has no limit other than
/// that of the browser.
const PATIENCE: Duration = Duration::from_secs(30);
/// The pause after a failed accept. If no descriptor is left, the next attempt would fail too.
const BREATH: Duration = Duration::from_millis(100);

/// A proxy on the loopback interface that connects only to allowed origins. Dropping it ends it.
pub(crate) struct Gatekeeper {
    address: SocketAddr,
    accepting: JoinHandle<()>,
}

impl Gatekeeper {
    pub(crate) async fn start(confinement: Confinement) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let accepting = tokio::spawn(accept(listener, Arc::new(confinement)));
        Ok(Self { address, accepting })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Gatekeeper {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Accepts connections until the gatekeeper is dropped. The connections end with this task.
async fn accept(listener: TcpListener, confinement: Arc<Confinement>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    let confinement = confinement.clone();
                    connections.spawn(async move {
                        if let Err(error) = serve(stream, &confinement).await {
                            tracing::debug!("a connection through the gatekeeper ended: {error}");
                        }
                    });
                }
                Err(error) => {
                    tracing::debug!("the gatekeeper could not accept a connection: {error}");
                    tokio::time::sleep(BREATH).await;
                }
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

/// Serves one request. The response closes the connection, so that every request is checked.
async fn serve(stream: TcpStream, confinement: &Confinement) -> io::Result<()> {
    let mut client = BufReader::new(stream);
    let head = tokio::time::timeout(PATIENCE, read_head(&mut client)).await??;
    let mut words = head.lines().next().unwrap_or_default().split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let place = if method == "CONNECT" { Place::of_tunnel(target) } else { Place::of_address(target) };
    let Some(place) = place.filter(|place| place.is_allowed(confinement)) else {
        // Close without a response: the page could take ours for one of the server.
        tracing::debug!("refused {method} {}", super::place(target));
        return Ok(());
    };
    let mut server = place.connect().await?;
    if method == "CONNECT" {
        client.write_all(b"HTTP/1.1 200 Connected\r\n\r\n").await?;
        return copy_bidirectional(&mut client, &mut server).await.map(drop);
    }
    relay(client, server, &head, method, target).await
}

/// Forwards one request and its response.
async fn relay(
    mut client: BufReader<TcpStream>,
    mut server: TcpStream,
    head: &str,
    method: &str,
    target: &str,
) -> io::Result<()> {
    let path = target.match_indices('/').nth(2).map_or("/", |(at, _)| &target[at..]);
    let length = header(head, "content-length").and_then(|length| length.parse::<u64>().ok()).unwrap_or(0);
    if header(head, "transfer-encoding").is_some() {
        // Browsers stream request bodies only over HTTP/2 or later, which does not use this path.
        return Err(io::Error::from(io::ErrorKind::Unsupported));
    }
    server.write_all(&bytes(&format!("{method} {path} HTTP/1.1\r\n{}", closing(head)))).await?;
    copy(&mut (&mut client).take(length), &mut server).await?;
    // The response ends when the server or the browser closes the connection.
    let (mut from_client, mut to_client) = client.into_inner().into_split();
    let mut nothing = [0; 1];
    tokio::select! {
        answered = answer(BufReader::new(server), &mut to_client) => answered?,
        _ = from_client.read(&mut nothing) => return Ok(()),
    }
    to_client.shutdown().await
}

/// Forwards a response.
async fn answer(mut server: BufReader<TcpStream>, client: &mut OwnedWriteHalf) -> io::Result<()> {
    let head = read_head(&mut server).await?;
    let status = head.lines().next().unwrap_or_default();
    client.write_all(&bytes(&format!("{status}\r\n{}", closing(&head)))).await?;
    copy(&mut server, client).await.map(drop)
}

/// The headers, with those about the connection replaced by `connection: close`.
fn closing(head: &str) -> String {
    const ABOUT_THE_CONNECTION: &[&str] = &["connection", "proxy-connection", "keep-alive"];
    let mut headers = String::new();
    for line in head.lines().skip(1).filter(|line| !line.is_empty()) {
        let name = line.split(':').next().unwrap_or_default().trim().to_ascii_lowercase();
        if !ABOUT_THE_CONNECTION.contains(&name.as_str()) {
            headers.push_str(line);
            headers.push_str("\r\n");
        }
    }
    headers + "connection: close\r\n\r\n"
}

fn header<'h>(head: &'h str, wanted: &str) -> Option<&'h str> {
    head.lines().skip(1).find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case(wanted).then(|| value.trim())
    })
}

/// Reads a head up to and including the empty line. Each byte becomes one character, because a head may contain any
/// byte.
async fn read_head(stream: &mut BufReader<TcpStream>) -> io::Result<String> {
    let mut head = Vec::new();
    let mut limited = stream.take(LONGEST_HEAD);
    while limited.read_until(b'\n', &mut head).await? > 0 && !head.ends_with(b"\r\n\r\n") {}
    if !head.ends_with(b"\r\n\r\n") {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
    }
    Ok(head.into_iter().map(char::from).collect())
}

/// The original bytes of a head.
fn bytes(head: &str) -> Vec<u8> {
    head.chars().filter_map(|character| u8::try_from(character).ok()).collect()
}

/// The server that a request asks for.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    host: String,
    port: u16,
    /// The origins it may serve. A tunnel does not say which scheme is used.
    origins: Vec<String>,
}

impl Place {
    fn of_tunnel(target: &str) -> Option<Self> {
        let (host, port) = target.rsplit_once(':')?;
        let origins =
            ["https", "http"].into_iter().filter_map(|scheme| origin_of(&format!("{scheme}://{target}")));
        Some(Self { host: host.to_owned(), port: port.parse().ok()?, origins: origins.collect() })
    }

    fn of_address(url: &str) -> Option<Self> {
        let origin = origin_of(url)?;
        let place = origin.strip_prefix("http://")?;
        let bare = place.ends_with(']') || !place.contains(':');
        let (host, port) = if bare { (place, "80") } else { place.rsplit_once(':')? };
        Some(Self { host: host.to_owned(), port: port.parse().ok()?, origins: vec![origin.clone()] })
    }

    fn is_allowed(&self, confinement: &Confinement) -> bool {
        self.origins.iter().any(|origin| confinement.origins().any(|allowed| allowed == origin))
    }

    async fn connect(&self) -> io::Result<TcpStream> {
        let host = self.host.trim_matches(['[', ']']);
        let connecting = async {
            // Browsers resolve these names to the loopback interface without a lookup.
            if host == "localhost" || host.ends_with(".localhost") {
                let here: [SocketAddr; 2] =
                    [(Ipv6Addr::LOCALHOST, self.port).into(), (Ipv4Addr::LOCALHOST, self.port).into()];
                return TcpStream::connect(&here[..]).await;
            }
            TcpStream::connect((host, self.port)).await
        };
        let stream = tokio::time::timeout(PATIENCE, connecting).await??;
        stream.set_nodelay(true)?;
        Ok(stream)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(host: &str, port: u16, origins: &[&str]) -> Option<Place> {
        let origins = origins.iter().map(|&origin| origin.to_owned()).collect();
        Some(Place { host: host.to_owned(), port, origins })
    }

    #[test]
    fn a_place_is_read_from_a_tunnel_or_a_url() {
        assert_eq!(
            Place::of_tunnel("example.com:443"),
            place("example.com", 443, &["https://example.com", "http://example.com:443"])
        );
        assert_eq!(Place::of_address("http://a.example/x?y"), place("a.example", 80, &["http://a.example"]));
        assert_eq!(Place::of_address("http://[::1]:81/"), place("[::1]", 81, &["http://[::1]:81"]));
        assert_eq!(Place::of_address("ftp://a.example/"), None);
        assert_eq!(Place::of_tunnel("nothing"), None);
    }

    #[test]
    fn only_the_port_of_an_allowed_origin_is_allowed() {
        let confinement = Confinement::to(["https://example.com", "http://127.0.0.1:8080"]);
        let allowed = |target: &str| Place::of_tunnel(target).unwrap().is_allowed(&confinement);
        assert!(allowed("example.com:443") && allowed("127.0.0.1:8080"));
        assert!(!allowed("example.com:8443") && !allowed("127.0.0.1:8081") && !allowed("evil.example:443"));
    }

    /// Requests a page through a gatekeeper from a server that sends one response, and returns what arrives.
    async fn asked(listener: TcpListener, host: &str, answer: &[u8]) -> Vec<u8> {
        let origin = format!("http://{host}:{}", listener.local_addr().unwrap().port());
        let keeper = Gatekeeper::start(Confinement::to([&origin])).await.unwrap();
        let serving = async {
            let mut server = BufReader::new(listener.accept().await.unwrap().0);
            read_head(&mut server).await.unwrap();
            server.write_all(answer).await.unwrap();
        };
        let asking = async {
            let mut client = TcpStream::connect(keeper.address()).await.unwrap();
            let request = format!("GET {origin}/ HTTP/1.1\r\nHost: a\r\n\r\n");
            client.write_all(request.as_bytes()).await.unwrap();
            let mut came = Vec::new();
            client.read_to_end(&mut came).await.unwrap();
            came
        };
        tokio::join!(serving, asking).1
    }

    #[tokio::test]
    async fn the_bytes_of_a_head_are_forwarded_unchanged() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let came =
            asked(listener, "127.0.0.1", b"HTTP/1.1 200 \xe4\r\nname: \xff\xc3\xa4\r\n\r\nbody\xfe").await;
        assert_eq!(came, b"HTTP/1.1 200 \xe4\r\nname: \xff\xc3\xa4\r\nconnection: close\r\n\r\nbody\xfe");
    }

    #[tokio::test]
    async fn localhost_names_connect_over_ipv4_and_ipv6() {
        let four = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        // The machine may not support IPv6.
        let six = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).await.ok();
        for listener in [Some(four), six].into_iter().flatten() {
            let came = asked(listener, "a.localhost", b"HTTP/1.1 204 -\r\n\r\n").await;
            assert!(came.starts_with(b"HTTP/1.1 204"), "{came:?}");
        }
    }

    #[test]
    fn the_connection_is_closed_after_one_request() {
        let head = "GET http://a/ HTTP/1.1\r\nHost: a\r\nProxy-Connection: keep-alive\r\n\r\n";
        assert_eq!(closing(head), "Host: a\r\nconnection: close\r\n\r\n");
    }
}
