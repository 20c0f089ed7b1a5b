//! The part of HAR 1.2 that we use. Reading accepts recordings with missing or additional fields. Writing includes all
//! required fields.

use serde::{Deserialize, Serialize};

/// A recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Har {
    /// The content.
    pub log: Log,
}

/// The recorded requests, and the program that recorded them.
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
    /// The requests, in the order in which they started.
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

/// A request and its response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// When it started, as RFC 3339.
    #[serde(default)]
    pub started_date_time: String,
    /// How long it took, in milliseconds.
    #[serde(default)]
    pub time: f64,
    /// The request.
    pub request: Request,
    /// The response.
    pub response: Response,
    /// The state of the browser's cache; always empty here.
    #[serde(default)]
    pub cache: serde_json::Map<String, serde_json::Value>,
    /// The duration of each phase.
    #[serde(default)]
    pub timings: Timings,
    /// The kind of resource: `document`, `script`, `fetch` …
    #[serde(rename = "_resourceType", default, skip_serializing_if = "Option::is_none")]
    pub resource_type: Option<String>,
}

/// A request.
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
    /// Cookies; the headers contain them already.
    #[serde(default)]
    pub cookies: Vec<serde_json::Value>,
    /// The headers.
    #[serde(default)]
    pub headers: Vec<Header>,
    /// The query parameters; the address contains them already.
    #[serde(default)]
    pub query_string: Vec<Header>,
    /// The body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post_data: Option<PostData>,
    /// Bytes of the headers; -1 if unknown.
    #[serde(default = "unknown")]
    pub headers_size: i64,
    /// Bytes of the body; -1 if unknown.
    #[serde(default = "unknown")]
    pub body_size: i64,
}

/// A response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    /// The status; 0 or less if there was no response.
    pub status: i64,
    /// The reason phrase of the status.
    #[serde(default)]
    pub status_text: String,
    /// The version of HTTP.
    #[serde(default)]
    pub http_version: String,
    /// Cookies; the headers contain them already.
    #[serde(default)]
    pub cookies: Vec<serde_json::Value>,
    /// The headers.
    #[serde(default)]
    pub headers: Vec<Header>,
    /// The body.
    #[serde(default)]
    pub content: Content,
    /// The target of a redirect.
    #[serde(rename = "redirectURL", default)]
    pub redirect_url: String,
    /// Bytes of the headers; -1 if unknown.
    #[serde(default = "unknown")]
    pub headers_size: i64,
    /// Bytes of the body as it was sent; -1 if unknown.
    #[serde(default = "unknown")]
    pub body_size: i64,
    /// Why there was no response, as the browser reports it.
    #[serde(rename = "_error", default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A name and its value.
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
    /// `base64` if the body is binary. This is our extension: the format has no field for it.
    #[serde(rename = "_encoding", default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
}

/// The body of a response, after removing its content encoding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Content {
    /// Its size in bytes.
    #[serde(default)]
    pub size: i64,
    /// Its type.
    #[serde(default)]
    pub mime_type: String,
    /// Its text; absent if the recorder did not keep it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// `base64` if the text encodes bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
}

/// The duration of each phase of a request in milliseconds; -1 if unknown.
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
