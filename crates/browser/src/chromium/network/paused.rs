//! The event of a paused request, with the fields we use.

use std::collections::BTreeMap;

use data_encoding::BASE64;
use serde::Deserialize;

use crate::har::Header;

/// `Fetch.requestPaused`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestPaused {
    pub(crate) request_id: String,
    pub(crate) request: PausedRequest,
    #[serde(default)]
    pub(crate) frame_id: String,
    pub(crate) resource_type: String,
    #[serde(default)]
    pub(crate) response_error_reason: Option<String>,
    #[serde(default)]
    pub(crate) response_status_code: Option<i64>,
    #[serde(default)]
    pub(crate) response_status_text: Option<String>,
    #[serde(default)]
    pub(crate) response_headers: Option<Vec<Header>>,
    /// The id of the request in the `Network` domain; for a document, the id of its loader.
    #[serde(default)]
    pub(crate) network_id: Option<String>,
    /// The request that was redirected to this one.
    #[serde(default)]
    pub(crate) redirected_request_id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PausedRequest {
    pub(crate) method: String,
    pub(crate) url: String,
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, String>,
    #[serde(default)]
    post_data: Option<String>,
    #[serde(default)]
    post_data_entries: Option<Vec<PostDataEntry>>,
}

#[derive(Debug, Deserialize)]
struct PostDataEntry {
    #[serde(default)]
    bytes: Option<String>,
}

impl RequestPaused {
    /// Whether the request is paused after its response arrived.
    pub(super) fn has_answer(&self) -> bool {
        self.response_status_code.is_some() || self.response_error_reason.is_some()
    }
}

impl PausedRequest {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The body as far as the browser reports it; contents of files are missing.
    pub(super) fn body(&self) -> Option<Vec<u8>> {
        let entries = self.post_data_entries.as_ref().map(|entries| {
            let parts =
                entries.iter().filter_map(|entry| BASE64.decode(entry.bytes.as_ref()?.as_bytes()).ok());
            parts.flatten().collect::<Vec<u8>>()
        });
        entries.or_else(|| self.post_data.as_ref().map(|text| text.clone().into_bytes()))
    }
}
