//! Attaching to a browser that somebody else runs.

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

/// How a running browser is attached to.
#[derive(Clone, Debug)]
pub struct AttachOptions {
    /// The viewport of pages whose context does not say otherwise.
    pub viewport: Viewport,
    /// How far the browser reaches. We did not launch it, so whoever attaches vouches for that: what its pages send
    /// around a proxy, over UDP or by looking up names, is then no longer a reason to refuse a context.
    pub reach: Reach,
    /// How long attaching may take.
    pub timeout: Duration,
    /// The clock of every deadline.
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

/// Attaches to the browser at a `ws://` endpoint, or at the one an `http://` endpoint tells of.
///
/// The browser stays when we go; only what we opened in it is closed.
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
                return Err(failed(format!("no answer within {:?}", deadline.limit())));
            }
        }
    } else {
        return Err(failed("an endpoint starts with ws:// or http://".to_owned()));
    };
    let (connection, tasks) = Connection::over_web_socket(options.clock, &url, deadline).await?;
    let lifeline = Lifeline::new(connection.clone(), tasks, None);
    let version = connection.browser()?.send_uncounted(GetVersionParams {}, deadline).await?;
    ChromiumBrowser::open(lifeline, version, options.viewport, options.reach, deadline).await
}

/// The longest answer that is read.
const LONGEST_ANSWER: u64 = 64 << 10;

#[derive(Deserialize)]
struct Version {
    #[serde(rename = "webSocketDebuggerUrl")]
    web_socket_url: String,
}

/// Reads one answer. The debugging server leaves the connection open, so the length it names must be believed.
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

/// Asks the browser's debugging server for its WebSocket.
async fn web_socket_url(authority: &str) -> Result<String, String> {
    let address = if authority.rsplit(']').next().is_some_and(|end| end.contains(':')) {
        authority.to_owned()
    } else {
        format!("{authority}:80")
    };
    let mut stream = TcpStream::connect(&address).await.map_err(|error| error.to_string())?;
    // Chromium answers only to hosts that are addresses or localhost.
    let request = format!("GET /json/version HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(|error| error.to_string())?;
    let (head, body) = read_answer(stream).await.map_err(|error| error.to_string())?;
    if !head.starts_with("HTTP/1.1 200") {
        return Err(format!("/json/version says {}", head.lines().next().unwrap_or_default()));
    }
    let version: Version =
        serde_json::from_slice(&body).map_err(|error| format!("/json/version: {error}"))?;
    Ok(version.web_socket_url)
}
