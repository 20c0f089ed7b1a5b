//! Records the requests of a context and their responses.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use actions_protocol::Timestamp;
use tokio::sync::watch;

use super::body::encode;
use super::conceal::Concealed;
use super::{Content, Creator, Entry, Har, Header, Log, PostData, Request, Response, Timings, charset};
use crate::{Clock, Deadline};

/// Request headers that are not recorded: they are credentials, and a replay does not compare them.
const CREDENTIALS: &[&str] = &["cookie", "authorization", "proxy-authorization"];

/// Collects the requests of a context and their responses.
#[derive(Debug, Default)]
pub struct Recorder {
    state: Mutex<State>,
    /// How many bodies were requested from the browser and have not arrived.
    pending: watch::Sender<usize>,
}

#[derive(Debug, Default)]
struct State {
    exchanges: Vec<Exchange>,
    /// By the browser's request id, which is shared by the redirects of a request.
    begun: HashMap<String, VecDeque<Moment>>,
    raw_headers: HashMap<String, VecDeque<(i64, Vec<Header>)>>,
}

/// When a request started, in seconds by the wall clock and by the browser's monotonic clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) wall: f64,
    pub(crate) at: f64,
}

/// A request and its response, as the browser reports them.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) network_id: Option<String>,
    pub(crate) resource: String,
    pub(crate) method: String,
    pub(crate) url: String,
    pub(crate) request_headers: Vec<Header>,
    pub(crate) request_body: Option<Vec<u8>>,
    pub(crate) status: i64,
    pub(crate) phrase: String,
    pub(crate) headers: Vec<Header>,
    pub(crate) error: Option<String>,
    pub(crate) body: RecordedBody,
}

/// The body of a response.
#[derive(Debug)]
pub(crate) enum RecordedBody {
    /// The complete body; empty if there is none.
    Known(Vec<u8>),
    /// It could not be read.
    Lost,
}

impl Recorder {
    /// Creates an empty recorder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns everything recorded so far, in the order in which the requests started. Waits until the deadline for
    /// bodies that have not arrived. Masks the secrets.
    pub async fn finish(&self, secrets: &[String], clock: &dyn Clock, deadline: Deadline) -> Har {
        let mut pending = self.pending.subscribe();
        tokio::select! {
            _ = pending.wait_for(|pending| *pending == 0) => {}
            () = clock.sleep_until(deadline.at()) => {}
        }
        self.har(&Concealed::new(secrets))
    }

    pub(crate) fn body_asked_for(&self) {
        self.pending.send_modify(|pending| *pending += 1);
    }

    pub(crate) fn body_arrived(&self) {
        self.pending.send_modify(|pending| *pending = pending.saturating_sub(1));
    }

    pub(crate) fn begun(&self, network_id: String, moment: Moment) {
        self.state().begun.entry(network_id).or_default().push_back(moment);
    }

    /// Adds the raw headers of a response. Only they include cookies.
    pub(crate) fn raw_headers(&self, network_id: String, status: i64, headers: Vec<Header>) {
        self.state().raw_headers.entry(network_id).or_default().push_back((status, headers));
    }

    pub(crate) fn add(&self, exchange: Exchange) {
        self.state().exchanges.push(exchange);
    }

    fn har(&self, concealed: &Concealed) -> Har {
        let mut state = self.state();
        let State { exchanges, begun, raw_headers } = &mut *state;
        let mut entries = Vec::new();
        for (number, exchange) in exchanges.drain(..).enumerate() {
            let id = exchange.network_id.clone().unwrap_or_default();
            let moment = begun.get_mut(&id).and_then(VecDeque::pop_front);
            let raw = raw_headers.get_mut(&id).and_then(|known| {
                let at = known.iter().position(|(status, _)| *status == exchange.status)?;
                known.remove(at).map(|(_, headers)| headers)
            });
            let began = moment.map_or(f64::MAX, |moment| moment.at);
            entries.push((began, number, exchange.into_entry(moment, raw, concealed)));
        }
        entries.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let creator = Creator { name: "actions".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() };
        let entries = entries.into_iter().map(|(_, _, entry)| entry).collect();
        Har { log: Log { version: "1.2".to_owned(), creator, browser: None, entries } }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Exchange {
    fn into_entry(self, moment: Option<Moment>, raw: Option<Vec<Header>>, concealed: &Concealed) -> Entry {
        let content_type = |headers: &[Header]| {
            super::archive::header(headers, "content-type").unwrap_or_default().to_owned()
        };
        let mut headers = self.headers;
        // Only the raw headers include cookies, but they may lack headers that the browser added.
        let cookies =
            raw.into_iter().flatten().filter(|header| header.name.eq_ignore_ascii_case("set-cookie"));
        headers.retain(|header| !header.name.eq_ignore_ascii_case("set-cookie"));
        headers.extend(cookies.flat_map(|header| {
            let values: Vec<String> = header.value.split('\n').map(str::to_owned).collect();
            values.into_iter().map(move |value| Header { name: header.name.clone(), value })
        }));
        let masked = |header: Header| Header { value: concealed.in_text(&header.value), ..header };
        let kept = |header: &Header| !CREDENTIALS.contains(&header.name.to_ascii_lowercase().as_str());
        // Everything below that is derived from headers uses the masked ones.
        let headers: Vec<Header> = headers.into_iter().map(masked).collect();
        let request_headers: Vec<Header> =
            self.request_headers.into_iter().filter(kept).map(masked).collect();
        let mime_type = content_type(&headers);
        let location = super::archive::header(&headers, "location").unwrap_or_default().to_owned();
        let content = self.body.into_content(mime_type, concealed);
        let request_type = content_type(&request_headers);
        let post_data = self.request_body.map(|body| {
            let (text, encoding) = encode(&concealed.in_bytes(&body), true);
            PostData { mime_type: request_type, text, encoding }
        });
        let started = moment.map_or(0.0, |moment| moment.wall * 1_000.0).max(0.0);
        Entry {
            started_date_time: Timestamp::from_unix_millis(started as u64).to_string(),
            time: 0.0,
            request: Request {
                method: self.method,
                url: concealed.in_text(&self.url),
                http_version: "HTTP/1.1".to_owned(),
                cookies: Vec::new(),
                headers: request_headers,
                query_string: Vec::new(),
                headers_size: -1,
                body_size: post_data.as_ref().map_or(0, |_| -1),
                post_data,
            },
            response: Response {
                status: self.status,
                status_text: self.phrase,
                http_version: "HTTP/1.1".to_owned(),
                cookies: Vec::new(),
                headers,
                content,
                redirect_url: if (300..400).contains(&self.status) { location } else { String::new() },
                headers_size: -1,
                body_size: -1,
                error: self.error,
            },
            cache: serde_json::Map::new(),
            timings: Timings::default(),
            resource_type: Some(self.resource.to_ascii_lowercase()),
        }
    }
}

impl RecordedBody {
    fn into_content(self, mime_type: String, concealed: &Concealed) -> Content {
        let bytes = match self {
            // A nonzero size means that there was a body.
            RecordedBody::Lost => return Content { size: -1, mime_type, text: None, encoding: None },
            RecordedBody::Known(bytes) => concealed.in_bytes(&bytes).into_owned(),
        };
        // A replay sends text as UTF-8, but the browser may have decoded these bytes differently.
        let reads_as_utf8 = bytes.is_ascii() || !charset::is_guessed(&mime_type);
        let is_text = charset::declared(&mime_type).map_or(reads_as_utf8, |declared| declared == "utf-8");
        let (text, encoding) = encode(&bytes, is_text);
        Content {
            size: i64::try_from(bytes.len()).unwrap_or(i64::MAX),
            mime_type,
            text: Some(text),
            encoding,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SystemClock;
    use std::time::Duration;

    fn header(name: &str, value: &str) -> Header {
        Header { name: name.to_owned(), value: value.to_owned() }
    }

    fn exchange(url: &str, status: i64, headers: Vec<Header>, body: &[u8]) -> Exchange {
        Exchange {
            network_id: None,
            resource: "Document".to_owned(),
            method: "POST".to_owned(),
            url: url.to_owned(),
            request_headers: vec![header("content-type", "multipart/form-data; boundary=x")],
            request_body: Some([b"--x\r\n\r\nsesame\r\n--x\r\n\r\n".as_slice(), &[0xff, 0]].concat()),
            status,
            phrase: String::new(),
            headers,
            error: None,
            body: RecordedBody::Known(body.to_vec()),
        }
    }

    async fn recorded(exchange: Exchange, secrets: &[&str]) -> Entry {
        let recorder = Recorder::new();
        recorder.add(exchange);
        let secrets: Vec<String> = secrets.iter().map(|&secret| secret.to_owned()).collect();
        let deadline = Deadline::after(&SystemClock, Duration::ZERO);
        let har = recorder.finish(&secrets, &SystemClock, deadline).await;
        har.log.entries.into_iter().next().unwrap()
    }

    #[tokio::test]
    async fn secrets_are_masked_in_redirects_and_in_binary_bodies() {
        let location = vec![header("location", "https://a.example/?word=sesame")];
        let entry =
            recorded(exchange("https://a.example/", 302, location, b"sesam\xe9 sesame"), &["sesame"]).await;
        assert_eq!(entry.response.redirect_url, "https://a.example/?word=[secret]");
        let bytes = super::super::body::answer_bytes(&entry.response.content).unwrap().unwrap();
        assert_eq!(bytes, b"sesam\xe9 [secret]");
        let sent = super::super::body::request_bytes(&entry.request.post_data.unwrap()).unwrap();
        assert_eq!(sent, b"--x\r\n\r\n[secret]\r\n--x\r\n\r\n\xff\0");
    }
}
