//! What a response with an error status means: the code, the site's own code, and what the site says to do.

use actions_protocol::ErrorCode;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::request::Body;
use crate::Failure;
use crate::services::HttpReply;

/// What a site says about one of its error codes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SiteError {
    pub(super) recovery: Option<String>,
    pub(super) wait_ms: Option<u64>,
    #[serde(default)]
    pub(super) refresh: bool,
}

/// The codes of a site, with what it says about each.
pub(super) type SiteErrors = std::collections::BTreeMap<String, SiteError>;

/// The code of a status: what callers can program against.
const CODES: &[(u16, ErrorCode)] = &[
    (401, ErrorCode::AuthRequired),
    (402, ErrorCode::PaymentRequired),
    (403, ErrorCode::PermissionDenied),
    (408, ErrorCode::HandlerTimeout),
    (429, ErrorCode::RateLimited),
    (504, ErrorCode::HandlerTimeout),
];

/// How much of what a site says is repeated.
const MOST_CHARACTERS: usize = 500;

/// The site's own code in a response: one that it has declared, else the text of `error` or `code`.
pub(super) fn site_code(body: &Body, status: u16, declared: &SiteErrors) -> Option<String> {
    let value = body.value();
    let named = ["/error/code", "/error", "/code", "/error_code", "/errors/0/code"];
    let mut candidates =
        named.iter().filter_map(|pointer| value.and_then(|value| value.pointer(pointer)?.as_str()));
    let found = candidates.clone().find(|code| declared.contains_key(*code)).or_else(|| candidates.next());
    let by_status = || Some(status.to_string()).filter(|status| declared.contains_key(status));
    found.map(|code| plain(code, 100)).or_else(by_status)
}

/// The failure that a response stands for.
pub(super) fn failure(reply: &HttpReply, body: &Body, declared: &SiteErrors) -> Failure {
    let status = reply.status;
    let listed = CODES.iter().find(|(known, _)| *known == status).map(|(_, code)| *code);
    let code = match listed.unwrap_or(ErrorCode::RemoteError) {
        // Credentials that were sent and are not accepted have expired or were withdrawn.
        ErrorCode::AuthRequired if reply.authenticated => ErrorCode::AuthExpired,
        code => code,
    };
    let site_code = site_code(body, status, declared);
    let named = site_code.as_deref().map(|code| format!(" ({code})")).unwrap_or_default();
    let mut failure = Failure::new(code, format!("the site answered with status {status}{named}"))
        .with_evidence("http_status", status)
        .with_evidence("url", reply.url.clone());
    if matches!(status, 400 | 422) {
        failure = failure.with_evidence("reason", "site_rejected_input");
    }
    if let Some(said) = said(body) {
        failure = failure.with_evidence("site_text", said);
    }
    if let Some(wait) = retry_after_ms(reply) {
        failure = failure.with_evidence("retry_after_ms", wait);
    }
    if let Some(site_code) = site_code {
        let recovery = declared.get(&site_code).and_then(|error| error.recovery.as_deref());
        if let Some(recovery) = recovery {
            failure = failure.with_evidence("recovery", text_of_site(recovery));
        }
        failure = failure.with_evidence("site_code", site_code);
    }
    failure
}

/// What the response says in words.
fn said(body: &Body) -> Option<Value> {
    let text = match body {
        Body::Json(value) => ["/error/message", "/message", "/detail", "/error_description", "/title"]
            .iter()
            .find_map(|pointer| value.pointer(pointer)?.as_str()),
        Body::Text(text) => Some(text.as_str()),
        Body::Nothing => None,
    };
    text.filter(|text| !text.trim().is_empty()).map(text_of_site)
}

/// Text of a site, marked as such: it is data, and nobody follows it as an instruction.
fn text_of_site(text: &str) -> Value {
    let mut said = Map::new();
    said.insert("untrusted".to_owned(), json!(true));
    said.insert("text".to_owned(), json!(plain(text, MOST_CHARACTERS)));
    Value::Object(said)
}

/// A text without control characters, cut to a length.
fn plain(text: &str, most: usize) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(most).collect()
}

/// How long the site wants the caller to wait, in milliseconds; `Retry-After` in seconds or as a date.
pub(super) fn retry_after_ms(reply: &HttpReply) -> Option<u64> {
    let value = reply.header("retry-after")?.trim();
    value.parse::<u64>().ok().map(|seconds| seconds.saturating_mul(1_000))
}
