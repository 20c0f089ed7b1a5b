//! The server: routes, connections, and a log of requests.

use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

use crate::response::Ending;
use crate::{Request, Response};

type Route = Arc<dyn Fn(&Request) -> Response + Send + Sync>;

/// A request that was answered.
#[derive(Clone, Debug)]
pub struct Served {
    /// The request.
    pub request: Request,
    /// The status of the response.
    pub status: u16,
}

/// A web server on the loopback interface. It stops when it is dropped.
pub struct TestServer {
    address: SocketAddr,
    site: Arc<Site>,
    accepting: JoinHandle<()>,
}

#[derive(Default)]
struct Site {
    routes: Mutex<HashMap<String, Route>>,
    folder: Mutex<Option<PathBuf>>,
    served: Mutex<Vec<Served>>,
    count: watch::Sender<usize>,
}

impl TestServer {
    /// Starts a server on a free port.
    pub async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let site = Arc::new(Site::default());
        let accepting = tokio::spawn(accept(listener, site.clone()));
        Ok(Self { address, site, accepting })
    }

    /// Starts a server that serves a folder.
    pub async fn serving(folder: impl Into<PathBuf>) -> io::Result<Self> {
        let server = Self::start().await?;
        *lock(&server.site.folder) = Some(folder.into());
        Ok(server)
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The address of a path on `127.0.0.1`.
    pub fn url(&self, path: &str) -> String {
        self.url_on("127.0.0.1", path)
    }

    /// The address of a path on another host: `localhost`, or a name that ends with `.localhost`.
    pub fn url_on(&self, host: &str, path: &str) -> String {
        format!("http://{host}:{}{path}", self.port())
    }

    /// The origin of `127.0.0.1`.
    pub fn origin(&self) -> String {
        self.url("")
    }

    /// Serves a page. Routes come before the folder; the last route for a path counts.
    pub fn page(&self, path: &str, html: impl Into<String>) {
        let response = Response::html(html);
        self.route(path, move |_| response.clone());
    }

    /// Serves what a function returns, on every host.
    pub fn route(&self, path: &str, answer: impl Fn(&Request) -> Response + Send + Sync + 'static) {
        lock(&self.site.routes).insert(path.to_owned(), Arc::new(answer));
    }

    /// Every request so far, in the order of the responses.
    pub fn served(&self) -> Vec<Served> {
        lock(&self.site.served).clone()
    }

    /// Stops the server with all its connections.
    pub fn stop(&self) {
        self.accepting.abort();
    }

    /// Waits until a path has been requested.
    pub async fn asked_for(&self, path: &str) {
        let mut count = self.site.count.subscribe();
        loop {
            if lock(&self.site.served).iter().any(|served| served.request.path == path) {
                return;
            }
            if count.changed().await.is_err() {
                return;
            }
        }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Accepts until the server is dropped; the connections end with this task.
async fn accept(listener: TcpListener, site: Arc<Site>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                if let Ok((stream, _)) = accepted {
                    connections.spawn(serve(stream, site.clone()));
                }
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

/// Serves one connection. A client that disconnects is no error.
async fn serve(stream: TcpStream, site: Arc<Site>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    while let Some(request) = Request::read(&mut stream).await? {
        let response = site.answer(&request);
        let is_head = request.method == "HEAD";
        let ending = response.ending;
        site.note(Served { request, status: response.status });
        if ending == Ending::Broken {
            return Ok(());
        }
        if !response.delay.is_zero() {
            tokio::time::sleep(response.delay).await;
        }
        if ending == Ending::Hangs && response.body.is_empty() && response.headers.is_empty() {
            std::future::pending::<()>().await;
        }
        stream.write_all(response.head().as_bytes()).await?;
        if !is_head {
            stream.write_all(&response.body).await?;
        }
        stream.flush().await?;
        if ending == Ending::CutOff {
            return Ok(());
        }
        if matches!(ending, Ending::Hangs | Ending::Streams) {
            std::future::pending::<()>().await;
        }
    }
    Ok(())
}

impl Site {
    fn answer(&self, request: &Request) -> Response {
        let route = lock(&self.routes).get(&request.path).cloned();
        if let Some(route) = route {
            return route(request);
        }
        match &*lock(&self.folder) {
            Some(folder) => {
                file_of(folder, &request.path).map_or_else(Response::not_found, |file| Response::file(&file))
            }
            None => Response::not_found(),
        }
    }

    fn note(&self, served: Served) {
        lock(&self.served).push(served);
        self.count.send_modify(|count| *count += 1);
    }
}

/// The file a path names inside a folder; never one outside it.
fn file_of(folder: &Path, path: &str) -> Option<PathBuf> {
    let decoded = percent_decode(path)?;
    let relative = Path::new(decoded.trim_start_matches('/'));
    if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let file = folder.join(relative);
    Some(if file.is_dir() { file.join("index.html") } else { file })
}

fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        if byte == b'%' {
            let digits = std::str::from_utf8(tail.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &tail[2..];
        } else {
            bytes.push(byte);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;

    async fn get(server: &TestServer, path: &str) -> String {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        stream.shutdown().await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn a_route_sees_the_request_and_the_server_remembers_it() {
        let server = TestServer::start().await.unwrap();
        server.route("/a", |request| {
            Response::html(format!("{} {:?}", request.host(), request.parameter("q")))
        });
        let answer = get(&server, "/a?q=1").await;
        assert!(answer.ends_with("localhost Some(\"1\")"), "{answer}");
        server.asked_for("/a").await;
        assert_eq!(server.served().len(), 1);
    }

    #[tokio::test]
    async fn a_folder_is_served_and_never_left() {
        let server = TestServer::serving(env!("CARGO_MANIFEST_DIR")).await.unwrap();
        assert!(get(&server, "/Cargo.toml").await.contains("actions-testserver"));
        for path in ["/../browser/Cargo.toml", "/%2e%2e/browser/Cargo.toml", "/nothing"] {
            assert!(get(&server, path).await.starts_with("HTTP/1.1 404"), "{path}");
        }
    }
}
