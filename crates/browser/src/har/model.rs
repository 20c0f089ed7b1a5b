//! HAR 1.2 as far as it matters here. Reading is tolerant: fields that recorders leave out or add are no reason to
//! refuse a recording. Writing is complete.

use serde::{Deserialize, Serialize};

/// A recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Har {
    /// Its one member.
    pub log: Log,
}

/// What was recorded, and by whom.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Log {
    /// The version of the format.
    #[serde(default)]
    pub version: String,
    /// The program that wrote it.
    #[serde(default)]
    pub creator: Creator,
    /// The browser.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub browser: Option<Creator>,
    /// Every request, in the order in which they began.
    pub entries: Vec<Entry>,
}

/// A program by name and version.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Creator {
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// Its version.
    #[serde(default)]
    pub version: String,
}

/// A request and its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// When it began, as RFC 3339.
    #[serde(default)]
    pub started_date_time: String,
    /// How long it took, in milliseconds.
    #[serde(default)]
    pub time: f64,
    /// What was asked for.
    pub request: Request,
    /// What came.
    pub response: Response,
    /// What the browser's cache had; always empty here.
    #[serde(default)]
    pub cache: serde_json::Map<String, serde_json::Value>,
    /// Where the time went.
    #[serde(default)]
    pub timings: Timings,
    /// What it was for: `document`, `script`, `fetch` …
    #[serde(rename = "_resourceType", default, skip_serializing_if = "Option::is_none")]
    pub resource_type: Option<String>,
}

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// `GET`, `POST` …
    pub method: String,
    /// The address.
    pub url: String,
    /// The version of HTTP.
    #[serde(default)]
    pub http_version: String,
    /// Cookies; they stand in the headers already.
    #[serde(default)]
    pub cookies: Vec<serde_json::Value>,
    /// The headers.
    #[serde(default)]
    pub headers: Vec<Header>,
    /// The query, taken apart; it stands in the address already.
    #[serde(default)]
    pub query_string: Vec<Header>,
    /// The body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post_data: Option<PostData>,
    /// Bytes of the headers; -1 when unknown.
    #[serde(default = "unknown")]
    pub headers_size: i64,
    /// Bytes of the body; -1 when unknown.
    #[serde(default = "unknown")]
    pub body_size: i64,
}

/// What came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    /// The status; 0 or less when no answer came.
    pub status: i64,
    /// The words beside the status.
    #[serde(default)]
    pub status_text: String,
    /// The version of HTTP.
    #[serde(default)]
    pub http_version: String,
    /// Cookies; they stand in the headers already.
    #[serde(default)]
    pub cookies: Vec<serde_json::Value>,
    /// The headers.
    #[serde(default)]
    pub headers: Vec<Header>,
    /// The body.
    #[serde(default)]
    pub content: Content,
    /// Where a redirection leads.
    #[serde(rename = "redirectURL", default)]
    pub redirect_url: String,
    /// Bytes of the headers; -1 when unknown.
    #[serde(default = "unknown")]
    pub headers_size: i64,
    /// Bytes of the body as it was sent; -1 when unknown.
    #[serde(default = "unknown")]
    pub body_size: i64,
    /// Why no answer came, in the browser's words.
    #[serde(rename = "_error", default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A name with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
}

/// The body of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PostData {
    /// Its type.
    #[serde(default)]
    pub mime_type: String,
    /// Its text.
    #[serde(default)]
    pub text: String,
    /// `base64` when the bytes are no text; an addition of ours, the format has no word for it.
    #[serde(rename = "_encoding", default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
}

/// The body of an answer, without its content encoding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Content {
    /// How many bytes it has.
    #[serde(default)]
    pub size: i64,
    /// Its type.
    #[serde(default)]
    pub mime_type: String,
    /// Its text; absent when the recorder did not keep it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// `base64` when the text stands for bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
}

/// Where the time of a request went, in milliseconds; -1 when unknown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timings {
    /// Sending.
    #[serde(default)]
    pub send: f64,
    /// Waiting for the first byte.
    #[serde(default)]
    pub wait: f64,
    /// Receiving.
    #[serde(default)]
    pub receive: f64,
}

impl Default for Timings {
    fn default() -> Self {
        Self { send: 0.0, wait: 0.0, receive: 0.0 }
    }
}

fn unknown() -> i64 {
    -1
}
