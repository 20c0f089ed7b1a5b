//! Turns console messages, uncaught exceptions and failed requests into page events.
//!
//! The protocol reports them for every session of a page, so frames in other processes are covered. A page decides how
//! much it reports; the number of events per second and the length of every text are bounded here.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use chromiumoxide_cdp::cdp::browser_protocol::network::EnableParams as EnableNetworkParams;
use chromiumoxide_cdp::cdp::js_protocol::runtime::ReleaseObjectGroupParams;
use serde::Deserialize;
use serde_json::Value;

use super::ChromiumPage;
use crate::cdp::{Event, Session};
use crate::cut::cut_to;
use crate::{ConsoleLevel, ConsoleMessage, FailedRequest, PageEvent, RequestFailure, UncaughtException};

/// The longest text of a message or an exception, in characters.
const LONGEST_TEXT: usize = 2_000;
/// The longest address, in characters: a `data:` address holds a whole document.
const LONGEST_URL: usize = 500;
/// How many reports are passed on per second.
const MOST_PER_SECOND: u32 = 50;
/// How many unfinished requests are remembered.
const REQUESTS_KEPT: usize = 1_000;
/// After how many console messages the page releases the objects that were logged.
const RELEASE_EVERY: u32 = 50;

/// What the reports of a page need to remember.
#[derive(Debug, Default)]
pub(super) struct Reports {
    rate: Rate,
    /// Requests without a response, by request id.
    requests: HashMap<String, Request>,
    /// The ids of `requests`, oldest first; some may be finished.
    order: VecDeque<String>,
    /// Console messages since the logged objects were released.
    logged: u32,
}

#[derive(Debug)]
struct Request {
    method: String,
    url: String,
    resource: String,
}

/// Lets a number of reports per second pass, and counts the others.
#[derive(Debug, Default)]
pub(super) struct Rate {
    second: Option<Instant>,
    passed: u32,
    dropped: u64,
}

impl Rate {
    /// Whether a report may pass; if so, how many were dropped before it.
    pub(super) fn pass(&mut self, now: Instant) -> Option<u64> {
        match self.second {
            Some(second) if now.saturating_duration_since(second) < Duration::from_secs(1) => {}
            _ => (self.second, self.passed) = (Some(now), 0),
        }
        if self.passed == MOST_PER_SECOND {
            self.dropped += 1;
            return None;
        }
        self.passed += 1;
        Some(std::mem::take(&mut self.dropped))
    }
}

impl Reports {
    fn request_sent(&mut self, event: RequestWillBeSent) {
        let request = Request {
            method: event.request.method,
            url: cut_to(event.request.url, LONGEST_URL),
            resource: event.resource.unwrap_or_else(|| "Other".to_owned()),
        };
        if self.requests.insert(event.request_id.clone(), request).is_some() {
            // A redirect: the id is known.
            return;
        }
        self.order.push_back(event.request_id);
        // Finished requests leave the table at once, and the queue when their turn comes.
        while self.order.len() > REQUESTS_KEPT
            || self.order.front().is_some_and(|oldest| !self.requests.contains_key(oldest))
        {
            let Some(oldest) = self.order.pop_front() else { break };
            self.requests.remove(&oldest);
        }
    }

    /// The failure of a request whose response has an HTTP error status.
    fn response(&mut self, event: ResponseReceived) -> Option<FailedRequest> {
        let status = u16::try_from(event.response.status).ok().filter(|status| *status >= 400)?;
        let request = self.requests.remove(&event.request_id)?;
        Some(request.failed(RequestFailure::Status(status)))
    }

    /// The failure of a request without a response, unless it was cancelled.
    fn failed(&mut self, event: LoadingFailed) -> Option<FailedRequest> {
        let request = self.requests.remove(&event.request_id)?;
        (!event.canceled).then(|| request.failed(RequestFailure::Network(event.error_text)))
    }
}

impl Request {
    fn failed(self, failure: RequestFailure) -> FailedRequest {
        FailedRequest::new(&self.method, &self.url, &self.resource, failure)
    }
}

impl ChromiumPage {
    /// Handles an event of the runtime, log or network domain.
    pub(super) fn report(&self, session: &Session, event: Event<'_>) {
        match event.method {
            "Runtime.consoleAPICalled" => self.console_called(session, event),
            "Runtime.exceptionThrown" => self.emit_report(|| {
                let thrown = event.read::<ExceptionThrown>()?;
                Some(PageEvent::Exception(thrown.exception_details.into()))
            }),
            "Log.entryAdded" => {
                self.emit_report(|| event.read::<EntryAdded>()?.entry.message().map(PageEvent::Console))
            }
            "Network.requestWillBeSent" => {
                if let Some(event) = event.read() {
                    self.state().reports.request_sent(event);
                }
            }
            "Network.responseReceived" => {
                let failed = event.read().and_then(|event| self.state().reports.response(event));
                if let Some(failed) = failed {
                    self.emit_report(|| Some(PageEvent::RequestFailed(failed)));
                }
            }
            "Network.loadingFailed" => {
                let failed = event.read().and_then(|event| self.state().reports.failed(event));
                if let Some(failed) = failed {
                    self.emit_report(|| Some(PageEvent::RequestFailed(failed)));
                }
            }
            "Network.loadingFinished" => {
                if let Some(event) = event.read::<LoadingFinished>() {
                    self.state().reports.requests.remove(&event.request_id);
                }
            }
            _ => {}
        }
    }

    fn console_called(&self, session: &Session, event: Event<'_>) {
        self.emit_report(|| event.read::<ConsoleApiCalled>()?.message().map(PageEvent::Console));
        let release = {
            let reports = &mut self.state().reports;
            reports.logged = (reports.logged + 1) % RELEASE_EVERY;
            reports.logged == 0
        };
        if release {
            // The page keeps every object that it has logged alive for us until we release it.
            session.send_then(ReleaseObjectGroupParams::new("console"), drop);
        }
    }

    /// Emits a report if the rate permits. A report that may not pass is not even parsed.
    fn emit_report(&self, report: impl FnOnce() -> Option<PageEvent>) {
        let passed = self.state().reports.rate.pass(self.clock().now());
        let Some(dropped) = passed else { return };
        if dropped > 0 {
            self.emit(PageEvent::ReportsDropped { count: dropped });
        }
        if let Some(report) = report() {
            self.emit(report);
        }
    }
}

/// Enables the events of requests, without keeping the bodies of responses in the page's process.
pub(crate) fn network_events() -> EnableNetworkParams {
    EnableNetworkParams {
        max_total_buffer_size: Some(0),
        max_resource_buffer_size: Some(0),
        max_post_data_size: Some(0),
        ..EnableNetworkParams::default()
    }
}

#[derive(Deserialize)]
struct ConsoleApiCalled {
    r#type: String,
    #[serde(default)]
    args: Vec<Argument>,
    #[serde(rename = "stackTrace")]
    stack: Option<Stack>,
}

/// A logged value, or the value of an exception.
#[derive(Deserialize)]
struct Argument {
    #[serde(default)]
    value: Option<Value>,
    #[serde(rename = "unserializableValue", default)]
    unserializable: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    preview: Option<Preview>,
}

/// The first properties of a logged object.
#[derive(Deserialize)]
struct Preview {
    #[serde(default)]
    subtype: Option<String>,
    #[serde(default)]
    overflow: bool,
    #[serde(default)]
    properties: Vec<Property>,
}

#[derive(Deserialize)]
struct Property {
    name: String,
    #[serde(default)]
    value: Option<String>,
}

#[derive(Deserialize)]
struct Stack {
    #[serde(rename = "callFrames", default)]
    frames: Vec<StackFrame>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StackFrame {
    url: String,
    /// Counted from 0.
    line_number: i64,
}

impl ConsoleApiCalled {
    fn message(self) -> Option<ConsoleMessage> {
        let level = match self.r#type.as_str() {
            "clear" | "endGroup" | "profile" | "profileEnd" => return None,
            "error" | "assert" => ConsoleLevel::Error,
            "warning" => ConsoleLevel::Warning,
            "debug" => ConsoleLevel::Debug,
            _ => ConsoleLevel::Info,
        };
        let words: Vec<String> = self.args.into_iter().map(Argument::text).collect();
        let (url, line) = place(self.stack.and_then(|stack| stack.frames.into_iter().next()));
        Some(ConsoleMessage {
            url,
            line,
            ..ConsoleMessage::new(level, cut_to(words.join(" "), LONGEST_TEXT))
        })
    }
}

impl Argument {
    fn text(self) -> String {
        match (self.value, self.unserializable, self.preview, self.description) {
            (Some(Value::String(text)), ..) => text,
            (Some(value), ..) => value.to_string(),
            (None, Some(text), ..) => text,
            (None, None, Some(preview), _) if preview.is_plain() => preview.text(),
            (None, None, _, Some(description)) => description,
            (None, None, _, None) => "undefined".to_owned(),
        }
    }
}

impl Preview {
    /// Whether the properties say more than the description: not for errors, dates, elements and the like.
    fn is_plain(&self) -> bool {
        matches!(self.subtype.as_deref(), None | Some("array"))
    }

    fn text(self) -> String {
        let is_array = self.subtype.is_some();
        let value = |property: &Property| property.value.clone().unwrap_or_else(|| "…".to_owned());
        let mut parts: Vec<String> = self
            .properties
            .iter()
            .map(|property| match is_array {
                true => value(property),
                false => format!("{}: {}", property.name, value(property)),
            })
            .collect();
        if self.overflow {
            parts.push("…".to_owned());
        }
        let parts = parts.join(", ");
        if is_array { format!("[{parts}]") } else { format!("{{{parts}}}") }
    }
}

/// The address and the line of a place in a script, if the script has an address.
fn place(frame: Option<StackFrame>) -> (Option<String>, Option<u32>) {
    match frame.filter(|frame| !frame.url.is_empty()) {
        Some(frame) => (Some(cut_to(frame.url, LONGEST_URL)), line(frame.line_number)),
        None => (None, None),
    }
}

fn line(from_zero: i64) -> Option<u32> {
    u32::try_from(from_zero + 1).ok()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExceptionThrown {
    exception_details: ExceptionDetails,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExceptionDetails {
    #[serde(default)]
    text: String,
    #[serde(default)]
    line_number: i64,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    exception: Option<Argument>,
    #[serde(rename = "stackTrace")]
    stack: Option<Stack>,
}

impl From<ExceptionDetails> for UncaughtException {
    fn from(details: ExceptionDetails) -> Self {
        let text = details.exception.map_or(details.text, Argument::text);
        let own = details.url.map(|url| StackFrame { url, line_number: details.line_number });
        let (url, line) = place(own.or_else(|| details.stack?.frames.into_iter().next()));
        UncaughtException { url, line, ..UncaughtException::new(cut_to(text, LONGEST_TEXT)) }
    }
}

#[derive(Deserialize)]
struct EntryAdded {
    entry: LogEntry,
}

/// A message of the browser itself.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LogEntry {
    source: String,
    level: String,
    text: String,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    line_number: Option<i64>,
}

impl LogEntry {
    fn message(self) -> Option<ConsoleMessage> {
        // The network domain reports failed requests, with more detail.
        if self.source == "network" {
            return None;
        }
        let level = match self.level.as_str() {
            "error" => ConsoleLevel::Error,
            "warning" => ConsoleLevel::Warning,
            "verbose" => ConsoleLevel::Debug,
            _ => ConsoleLevel::Info,
        };
        let url = self.url.filter(|url| !url.is_empty()).map(|url| cut_to(url, LONGEST_URL));
        let line = self.line_number.filter(|_| url.is_some()).and_then(line);
        Some(ConsoleMessage { url, line, ..ConsoleMessage::new(level, cut_to(self.text, LONGEST_TEXT)) })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RequestWillBeSent {
    request_id: String,
    request: SentRequest,
    #[serde(rename = "type", default)]
    resource: Option<String>,
}

#[derive(Deserialize)]
struct SentRequest {
    url: String,
    method: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResponseReceived {
    request_id: String,
    response: Response,
}

#[derive(Deserialize)]
struct Response {
    status: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LoadingFailed {
    request_id: String,
    #[serde(default)]
    error_text: String,
    #[serde(default)]
    canceled: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LoadingFinished {
    request_id: String,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sent(id: usize) -> RequestWillBeSent {
        let request = json!({ "url": format!("http://a.example/{id}"), "method": "GET" });
        serde_json::from_value(json!({ "requestId": id.to_string(), "request": request, "type": "Image" }))
            .unwrap()
    }

    #[test]
    fn a_flood_of_reports_is_cut_and_counted() {
        let mut rate = Rate::default();
        let start = Instant::now();
        let passed = (0..200).filter(|_| rate.pass(start).is_some()).count();
        assert_eq!(passed, MOST_PER_SECOND as usize);
        assert_eq!(rate.pass(start + Duration::from_secs(1)), Some(150));
        assert_eq!(rate.pass(start + Duration::from_secs(1)), Some(0));
    }

    #[test]
    fn unfinished_requests_do_not_pile_up() {
        let mut reports = Reports::default();
        for id in 0..3 * REQUESTS_KEPT {
            reports.request_sent(sent(id));
            if id % 3 == 0 {
                reports.requests.remove(&id.to_string());
            }
        }
        assert!(reports.order.len() <= REQUESTS_KEPT && reports.requests.len() <= REQUESTS_KEPT);
        let failed = LoadingFailed {
            request_id: (3 * REQUESTS_KEPT - 1).to_string(),
            error_text: "net::ERR_FAILED".to_owned(),
            canceled: false,
        };
        let failed = reports.failed(failed).unwrap();
        assert_eq!(failed.to_string(), "GET http://a.example/2999 failed: net::ERR_FAILED");
    }

    #[test]
    fn logged_values_become_text() {
        let text = |value: Value| serde_json::from_value::<Argument>(value).unwrap().text();
        assert_eq!(text(json!({ "type": "string", "value": "a" })), "a");
        assert_eq!(text(json!({ "type": "number", "value": 1.5 })), "1.5");
        assert_eq!(text(json!({ "type": "number", "unserializableValue": "NaN" })), "NaN");
        assert_eq!(text(json!({ "type": "undefined" })), "undefined");
        let properties = json!([{ "name": "a", "type": "number", "value": "1" }]);
        let preview = json!({ "type": "object", "overflow": true, "properties": properties });
        assert_eq!(
            text(json!({ "type": "object", "description": "Object", "preview": preview })),
            "{a: 1, …}"
        );
        let error = json!({ "type": "object", "subtype": "error", "properties": [] });
        assert_eq!(
            text(json!({ "description": "Error: no\n  at x", "preview": error })),
            "Error: no\n  at x"
        );
    }
}
