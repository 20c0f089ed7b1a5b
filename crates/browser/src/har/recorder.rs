//! Records the requests of a context and their responses.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use actions_protocol::Timestamp;
use tokio::sync::watch;

use super::body::encode;
use super::conceal::{Concealed, MASK};
use super::credentials::{Credentials, address_without_passwords, is_authorization, without_passwords};
use super::{Content, Creator, Entry, Har, Header, Log, PostData, Request, Response, Timings, charset};
use crate::{Clock, Deadline};

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
    /// The credentials that the browser added to requests.
    sent: Vec<Header>,
    /// What the context shows to servers.
    secrets: Vec<String>,
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
    /// bodies that have not arrived. Masks the secrets, and the credentials of the traffic.
    pub async fn finish(&self, secrets: &[String], clock: &dyn Clock, deadline: Deadline) -> Har {
        let mut pending = self.pending.subscribe();
        tokio::select! {
            _ = pending.wait_for(|pending| *pending == 0) => {}
            () = clock.sleep_until(deadline.at()) => {}
        }
        self.har(secrets)
    }

    /// Masks these texts too, wherever they stand.
    pub(crate) fn conceal<'s>(&self, secrets: impl Iterator<Item = &'s str>) {
        self.state().secrets.extend(secrets.map(str::to_owned));
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

    /// Adds the raw headers of a request. Only they include its cookies.
    pub(crate) fn sent_headers(&self, headers: impl IntoIterator<Item = Header>) {
        let mut state = self.state();
        for header in headers.into_iter().filter(|header| is_authorization(&header.name)) {
            if !state.sent.contains(&header) {
                state.sent.push(header);
            }
        }
    }

    pub(crate) fn add(&self, exchange: Exchange) {
        self.state().exchanges.push(exchange);
    }

    fn har(&self, secrets: &[String]) -> Har {
        let mut state = self.state();
        let State { exchanges, begun, raw_headers, sent, secrets: shown } = &mut *state;
        let mut recorded = Vec::new();
        for (number, mut exchange) in exchanges.drain(..).enumerate() {
            let id = exchange.network_id.clone().unwrap_or_default();
            let moment = begun.get_mut(&id).and_then(VecDeque::pop_front);
            let raw = raw_headers.get_mut(&id).and_then(|known| {
                let at = known.iter().position(|(status, _)| *status == exchange.status)?;
                known.remove(at).map(|(_, headers)| headers)
            });
            exchange.take_cookies(raw);
            let began = moment.map_or(f64::MAX, |moment| moment.at);
            recorded.push((began, number, exchange, moment));
        }
        recorded.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let credentials = Credentials::of(recorded.iter().map(|(_, _, exchange, _)| exchange), sent);
        let secrets: Vec<String> = secrets.iter().chain(shown.iter()).cloned().collect();
        let concealed = Concealed::with(&secrets, credentials);
        let entries = recorded.into_iter();
        let entries =
            entries.map(|(_, _, exchange, moment)| exchange.into_entry(moment, &concealed)).collect();
        let creator = Creator { name: "actions".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() };
        Har { log: Log { version: "1.2".to_owned(), creator, browser: None, entries } }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Exchange {
    /// Replaces the cookies of the response by those of its raw headers: only these include all cookies, but they may
    /// lack headers that the browser added.
    fn take_cookies(&mut self, raw: Option<Vec<Header>>) {
        let is_cookie = |header: &Header| header.name.eq_ignore_ascii_case("set-cookie");
        self.headers.retain(|header| !is_cookie(header));
        let cookies = raw.into_iter().flatten().filter(is_cookie);
        self.headers.extend(cookies.flat_map(|header| {
            let values: Vec<String> = header.value.split('\n').map(str::to_owned).collect();
            values.into_iter().map(move |value| Header { name: header.name.clone(), value })
        }));
    }

    fn into_entry(self, moment: Option<Moment>, concealed: &Concealed) -> Entry {
        let content_type = |headers: &[Header]| {
            super::archive::header(headers, "content-type").unwrap_or_default().to_owned()
        };
        let masked = |header: Header| {
            let value = match header.name.eq_ignore_ascii_case("set-cookie") {
                true => concealed.in_cookie(&header.value),
                false if is_authorization(&header.name) => MASK.to_owned(),
                false => concealed.in_text(&header.value),
            };
            Header { name: concealed.in_text(&header.name), value }
        };
        let request_type = content_type(&self.request_headers);
        // Everything below that is derived from headers uses the masked ones.
        let headers: Vec<Header> = self.headers.into_iter().map(masked).collect();
        let request_headers: Vec<Header> = self.request_headers.into_iter().map(masked).collect();
        let mime_type = content_type(&headers);
        let location = super::archive::header(&headers, "location").unwrap_or_default().to_owned();
        let content = self.body.into_content(mime_type, concealed);
        let post_data = self.request_body.map(|body| {
            let body = without_passwords(&body, &request_type, MASK);
            let (text, encoding) = encode(&concealed.in_bytes(&body), true);
            PostData { mime_type: content_type(&request_headers), text, encoding }
        });
        let started = moment.map_or(0.0, |moment| moment.wall * 1_000.0).max(0.0);
        Entry {
            started_date_time: Timestamp::from_unix_millis(started as u64).to_string(),
            time: 0.0,
            request: Request {
                method: self.method,
                url: concealed.in_text(&address_without_passwords(&self.url, MASK)),
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
                status_text: concealed.in_text(&self.phrase),
                http_version: "HTTP/1.1".to_owned(),
                cookies: Vec::new(),
                headers,
                content,
                redirect_url: if (300..400).contains(&self.status) { location } else { String::new() },
                headers_size: -1,
                body_size: -1,
                error: self.error.map(|error| concealed.in_text(&error)),
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

    #[tokio::test]
    async fn credentials_are_masked_without_being_named() {
        let recorder = Recorder::new();
        let answer = exchange(
            "https://a.example/login",
            200,
            vec![header("content-type", "application/json"), header("x-csrf-token", "c5rf-7788-99")],
            br#"{"access_token": "t0k3n-abcdef-123", "refresh_token": "r3fr3sh-99", "theme": "dark"}"#,
        );
        recorder.add(Exchange {
            network_id: Some("1".to_owned()),
            request_headers: vec![header("content-type", "application/json")],
            request_body: Some(br#"{"user": "ada", "password": "dog"}"#.to_vec()),
            ..answer
        });
        let cookies = "sessionid=k3jf8sdf; HttpOnly\ntheme=dark; Path=/";
        recorder.raw_headers("1".to_owned(), 200, vec![header("set-cookie", cookies)]);
        recorder.sent_headers([header("Cookie", "sessionid=k3jf8sdf; older=0ld-s3ss10n")]);
        let page = b"<p>k3jf8sdf 0ld-s3ss10n c5rf-7788-99</p>";
        recorder.add(Exchange {
            request_headers: vec![header("authorization", "Bearer t0k3n-abcdef-123")],
            request_body: None,
            ..exchange("https://a.example/?t=t0k3n-abcdef-123", 200, Vec::new(), page)
        });
        let deadline = Deadline::after(&SystemClock, Duration::ZERO);
        let har = recorder.finish(&[], &SystemClock, deadline).await;
        let text = serde_json::to_string(&har).unwrap();
        for secret in ["k3jf8sdf", "t0k3n", "r3fr3sh", "c5rf", "0ld-s3ss10n", "dog"] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
        let [login, page] = &har.log.entries[..] else { panic!("{text}") };
        assert_eq!(
            login.request.post_data.as_ref().unwrap().text,
            r#"{"user": "ada", "password": "[secret]"}"#
        );
        let set: Vec<&str> = login.response.headers.iter().map(|header| header.value.as_str()).collect();
        assert_eq!(set[2..], ["sessionid=actions-secret-0002; HttpOnly", "theme=dark; Path=/"]);
        let token = "actions-secret-0003";
        assert!(login.response.content.text.as_ref().unwrap().contains(token), "{text}");
        assert_eq!(page.request.url, format!("https://a.example/?t={token}"));
        assert_eq!(page.request.headers[0].value, "[secret]");
    }
}
