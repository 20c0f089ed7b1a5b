//! A proxy that reaches the allowed origins and nothing else.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, copy, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

use crate::{Confinement, origin_of};

/// The longest head of a request or an answer.
const LONGEST_HEAD: u64 = 256 << 10;
/// How long a head may take to come, and a server to be reached.
const PATIENCE: Duration = Duration::from_secs(30);

/// A proxy on the loopback interface that reaches the allowed origins and nothing else. It ends when it is dropped.
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

/// Accepts until the gatekeeper is dropped; the connections end with this task.
async fn accept(listener: TcpListener, confinement: Arc<Confinement>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                if let Ok((stream, _)) = accepted {
                    let confinement = confinement.clone();
                    connections.spawn(async move {
                        if let Err(error) = serve(stream, &confinement).await {
                            log::debug!("a connection through the gatekeeper ended: {error}");
                        }
                    });
                }
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

/// Serves one request: the browser is told not to use the connection again, so that every request is looked at.
async fn serve(stream: TcpStream, confinement: &Confinement) -> io::Result<()> {
    let mut client = BufReader::new(stream);
    let head = read_head(&mut client).await?;
    let mut words = head.lines().next().unwrap_or_default().split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let place = if method == "CONNECT" { Place::of_tunnel(target) } else { Place::of_address(target) };
    let Some(place) = place.filter(|place| place.is_allowed(confinement)) else {
        // The connection ends without a word: an answer of ours could be taken for one of the server's.
        log::debug!("refused {method} {}", super::place(target));
        return Ok(());
    };
    let mut server = place.connect().await?;
    if method == "CONNECT" {
        client.write_all(b"HTTP/1.1 200 Connected\r\n\r\n").await?;
        return copy_bidirectional(&mut client, &mut server).await.map(drop);
    }
    relay(client, server, &head, method, target).await
}

/// Passes on one request and its answer.
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
        // Browsers send such bodies only over newer versions of HTTP, which do not come this way.
        return Err(io::Error::from(io::ErrorKind::Unsupported));
    }
    server.write_all(format!("{method} {path} HTTP/1.1\r\n").as_bytes()).await?;
    server.write_all(closing(head).as_bytes()).await?;
    copy(&mut (&mut client).take(length), &mut server).await?;
    let mut server = BufReader::new(server);
    let answer = read_head(&mut server).await?;
    let status = answer.lines().next().unwrap_or_default();
    client.write_all(format!("{status}\r\n{}", closing(&answer)).as_bytes()).await?;
    // The answer ends when the server closes, or when the browser has had enough.
    let (mut from_client, mut to_client) = client.into_inner().into_split();
    let mut nothing = [0; 1];
    tokio::select! {
        sent = copy(&mut server, &mut to_client) => sent.map(drop)?,
        _ = from_client.read(&mut nothing) => return Ok(()),
    }
    to_client.shutdown().await
}

/// The headers with every word about the connection replaced by one: it closes.
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

/// Reads up to the empty line, and it.
async fn read_head(stream: &mut BufReader<TcpStream>) -> io::Result<String> {
    let reading = async {
        let mut head = Vec::new();
        let mut limited = stream.take(LONGEST_HEAD);
        while limited.read_until(b'\n', &mut head).await? > 0 && !head.ends_with(b"\r\n\r\n") {}
        if !head.ends_with(b"\r\n\r\n") {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
        }
        String::from_utf8(head).map_err(io::Error::other)
    };
    tokio::time::timeout(PATIENCE, reading).await?
}

/// Where a connection is to lead.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    host: String,
    port: u16,
    /// The origins that are served there; a tunnel does not say which of them is meant.
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
        // Browsers take these names for the machine itself without asking anyone.
        let host = if host == "localhost" || host.ends_with(".localhost") { "127.0.0.1" } else { host };
        let stream = tokio::time::timeout(PATIENCE, TcpStream::connect((host, self.port))).await??;
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
    fn a_place_is_read_from_a_tunnel_or_an_address() {
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
    fn only_the_port_of_an_allowed_origin_is_reached() {
        let confinement = Confinement::to(["https://example.com", "http://127.0.0.1:8080"]);
        let allowed = |target: &str| Place::of_tunnel(target).unwrap().is_allowed(&confinement);
        assert!(allowed("example.com:443") && allowed("127.0.0.1:8080"));
        assert!(!allowed("example.com:8443") && !allowed("127.0.0.1:8081") && !allowed("evil.example:443"));
    }

    #[test]
    fn the_connection_is_closed_after_one_request() {
        let head = "GET http://a/ HTTP/1.1\r\nHost: a\r\nProxy-Connection: keep-alive\r\n\r\n";
        assert_eq!(closing(head), "Host: a\r\nconnection: close\r\n\r\n");
    }
}
