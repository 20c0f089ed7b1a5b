//! Attaches to a browser that is already running.

use std::sync::Arc;
use std::time::Duration;

use chromiumoxide_cdp::cdp::browser_protocol::browser::GetVersionParams;
use serde::Deserialize;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use super::browser::ChromiumBrowser;
use super::launch::Reach;
use super::lifeline::Lifeline;
use crate::cdp::Connection;
use crate::{Clock, Deadline, Error, SystemClock, Viewport};

/// Options for attaching to a running browser.
#[derive(Clone, Debug)]
pub struct AttachOptions {
    /// The viewport of pages whose context sets none.
    pub viewport: Viewport,
    /// How far the browser can reach around a proxy, by UDP or name lookups. We did not launch the browser and cannot
    /// check this: the caller vouches for it, and confined contexts rely on it.
    pub reach: Reach,
    /// The time limit for attaching.
    pub timeout: Duration,
    /// The clock that measures every deadline.
    pub clock: Arc<dyn Clock>,
}

impl Default for AttachOptions {
    fn default() -> Self {
        Self {
            viewport: Viewport::default(),
            reach: Reach::Open,
            timeout: Duration::from_secs(30),
            clock: Arc::new(SystemClock),
        }
    }
}

/// Attaches to the browser at a `ws://` endpoint, or at the WebSocket that an `http://` endpoint reports.
///
/// The browser keeps running when we disconnect; only what we opened in it is closed.
pub async fn attach(endpoint: &str, options: AttachOptions) -> Result<ChromiumBrowser, Error> {
    let deadline = Deadline::after(options.clock.as_ref(), options.timeout);
    let failed = |reason: String| Error::AttachFailed { endpoint: endpoint.to_owned(), reason };
    let url = if endpoint.starts_with("ws://") {
        endpoint.to_owned()
    } else if let Some(authority) = endpoint.strip_prefix("http://") {
        let asking = web_socket_url(authority.trim_end_matches('/'));
        tokio::select! {
            url = asking => url.map_err(failed)?,
            () = options.clock.sleep_until(deadline.at()) => {
                return Err(failed(format!("no response within {:?}", deadline.limit())));
            }
        }
    } else {
        return Err(failed("the endpoint must start with ws:// or http://".to_owned()));
    };
    let (connection, tasks) = Connection::over_web_socket(options.clock, &url, deadline).await?;
    let lifeline = Lifeline::new(connection.clone(), tasks, None);
    let version = connection.browser()?.send_uncounted(GetVersionParams {}, deadline).await?;
    ChromiumBrowser::open(lifeline, version, options.viewport, options.reach, deadline).await
}

/// The size limit of a response.
const LONGEST_ANSWER: u64 = 64 << 10;

#[derive(Deserialize)]
struct Version {
    #[serde(rename = "webSocketDebuggerUrl")]
    web_socket_url: String,
}

/// Reads one response. The debugging server keeps the connection open, so the body ends after `Content-Length` bytes.
async fn read_answer(stream: TcpStream) -> std::io::Result<(String, Vec<u8>)> {
    let mut stream = BufReader::new(stream.take(LONGEST_ANSWER));
    let mut head = String::new();
    while stream.read_line(&mut head).await? > 0 && !head.ends_with("\r\n\r\n") {}
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<u64>().ok())?
    });
    let mut body = Vec::new();
    stream.take(length.unwrap_or(0).min(LONGEST_ANSWER)).read_to_end(&mut body).await?;
    Ok((head, body))
}

/// Asks the browser's debugging server for the URL of its WebSocket.
async fn web_socket_url(authority: &str) -> Result<String, String> {
    let address = if authority.rsplit(']').next().is_some_and(|end| end.contains(':')) {
        authority.to_owned()
    } else {
        format!("{authority}:80")
    };
    let mut stream = TcpStream::connect(&address).await.map_err(|error| error.to_string())?;
    // Chromium accepts only an IP address or `localhost` as the host.
    let request = format!("GET /json/version HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(|error| error.to_string())?;
    let (head, body) = read_answer(stream).await.map_err(|error| error.to_string())?;
    if !head.starts_with("HTTP/1.1 200") {
        return Err(format!("/json/version responded {}", head.lines().next().unwrap_or_default()));
    }
    let version: Version =
        serde_json::from_slice(&body).map_err(|error| format!("/json/version: {error}"))?;
    Ok(version.web_socket_url)
}
