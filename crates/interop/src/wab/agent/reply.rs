//! Reads what bridges answer: the envelope of the protocol, and what published bridges send instead.

use actions_engine::{ErrorCode, Failure};
use actions_protocol::WabCode;
use serde_json::{Value, json};

use super::wire::Answer;
use crate::record::plain;

/// What stands in a response for a secret that the bridge repeats.
const HIDDEN: &str = "[secret]";
/// A shorter secret could be part of anything.
const SHORTEST_HIDDEN: usize = 6;
/// How deep a response is searched for secrets.
const DEEPEST: usize = 100;

/// What statuses mean when the body does not say it.
const STATUSES: &[(u16, ErrorCode)] = &[
    (202, ErrorCode::HumanVerificationRequired),
    (401, ErrorCode::AuthRequired),
    (403, ErrorCode::PermissionDenied),
    (404, ErrorCode::UnknownAction),
    (409, ErrorCode::DuplicateCommandId),
    (412, ErrorCode::ConfirmationRequired),
    (429, ErrorCode::RateLimited),
    (502, ErrorCode::TransportFailed),
    (504, ErrorCode::HandlerTimeout),
];

/// What words in the text of an error mean, for bridges that answer with text alone. The first that is found decides.
const WORDS: &[(&str, ErrorCode)] = &[
    ("rate limit", ErrorCode::RateLimited),
    ("too many", ErrorCode::RateLimited),
    ("unknown command", ErrorCode::TransportFailed),
    ("unknown method", ErrorCode::TransportFailed),
    ("expired", ErrorCode::AuthExpired),
    ("authenticat", ErrorCode::AuthRequired),
    ("requires auth", ErrorCode::AuthRequired),
    ("unauthorized", ErrorCode::AuthRequired),
    ("permission", ErrorCode::PermissionDenied),
    ("not allowed", ErrorCode::PermissionDenied),
    ("forbidden", ErrorCode::PermissionDenied),
    ("blocked", ErrorCode::SelectorBlocked),
    ("element not found", ErrorCode::TargetNotFound),
    ("selector", ErrorCode::TargetNotFound),
    ("unknown action", ErrorCode::UnknownAction),
    ("not found", ErrorCode::UnknownAction),
    ("missing", ErrorCode::InvalidInput),
    ("invalid", ErrorCode::InvalidInput),
    ("required", ErrorCode::InvalidInput),
    ("timeout", ErrorCode::HandlerTimeout),
    ("timed out", ErrorCode::HandlerTimeout),
];

/// The result of a command, or the failure that the bridge answered with.
pub(super) fn read(answer: &Answer, lenient: bool) -> Result<Value, Failure> {
    let envelope = &answer.envelope;
    let is_error_status = answer.status.is_some_and(|status| !(200..300).contains(&status) || status == 202);
    match envelope["type"].as_str() {
        Some("success") if !is_error_status => {
            let result = envelope.get("result").cloned().unwrap_or(Value::Null);
            // Some bridges put a failure into the envelope of a success.
            return match lenient && result["success"] == false {
                true => Err(failure(&result, answer.status)),
                false => Ok(result),
            };
        }
        Some("error") => return Err(failure(envelope, answer.status)),
        _ => {}
    }
    if !lenient {
        let message =
            "the answer of the bridge is not of the protocol: it has no `type` of `success` or `error`";
        return Err(Failure::new(ErrorCode::RemoteError, message));
    }
    if is_error_status
        || envelope["success"] == false
        || envelope.get("error").is_some_and(|error| !error.is_null())
    {
        return Err(failure(envelope, answer.status));
    }
    let inner = ["result", "data"].iter().find_map(|key| envelope.get(*key));
    Ok(match (envelope["success"] == true, inner) {
        (true, Some(inner)) => inner.clone(),
        _ => envelope.clone(),
    })
}

/// The failure that an error stands for.
fn failure(envelope: &Value, status: Option<u16>) -> Failure {
    let error = &envelope["error"];
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let word = text(&error["code"]).or_else(|| text(&envelope["code"]));
    let said = text(&error["message"]).or_else(|| text(error)).or_else(|| text(&envelope["message"]));
    let meant =
        word.as_deref().and_then(WabCode::meaning).or_else(|| said.as_deref().and_then(WabCode::meaning));
    let by_status =
        status.and_then(|status| STATUSES.iter().find(|(known, _)| *known == status)).map(|(_, code)| *code);
    let by_text = said.as_deref().map(|text| meaning_of_text(text).unwrap_or(ErrorCode::HandlerFailed));
    let code = meant.or(by_status).or(by_text).unwrap_or(ErrorCode::RemoteError);
    let named = word.as_deref().map(|word| format!(" with {}", plain(word))).unwrap_or_default();
    let mut failure = Failure::new(code, format!("the bridge answered{named}{}", by_code(code)));
    if let Some(word) = word {
        failure = failure.with_evidence("site_code", plain(&word));
    }
    if let Some(said) = said.filter(|said| !said.trim().is_empty()) {
        failure = failure.with_evidence("site_text", json!({ "untrusted": true, "text": plain(&said) }));
    }
    if let Some(status) = status.filter(|status| *status >= 300) {
        failure = failure.with_evidence("http_status", status);
    }
    let wait = [&error["retryAfter"], &envelope["retryAfter"]].into_iter().find_map(Value::as_f64);
    if let Some(wait) = wait.filter(|wait| (0.0..1e9).contains(wait)) {
        failure = failure.with_evidence("retry_after_ms", (wait * 1_000.0).ceil() as u64);
    }
    failure
}

/// What an answer means, in a few words after it.
fn by_code(code: ErrorCode) -> String {
    format!(": {}", code.sentence().trim_end_matches('.'))
}

/// What the text of an error means, if one of its words says it.
pub(super) fn meaning_of_text(text: &str) -> Option<ErrorCode> {
    let text = text.to_lowercase();
    WORDS.iter().find(|(word, _)| text.contains(word)).map(|(_, code)| *code)
}

/// The failure of a function of the page that threw.
pub(super) fn thrown(failure: Failure) -> Failure {
    let words = failure.message.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let named = words.filter(|word| word.contains('_') || word.len() > 6).find_map(WabCode::from_wire);
    let code = named.map(WabCode::seen_by_agents).or_else(|| meaning_of_text(&failure.message));
    let text = json!({ "untrusted": true, "text": plain(&failure.message) });
    let made = Failure::new(
        code.unwrap_or(ErrorCode::HandlerFailed),
        "the function of the bridge in the page threw",
    );
    made.with_evidence("site_text", text)
}

/// Takes a secret out of a response.
pub(super) fn hide(value: &mut Value, secret: &str) {
    if secret.len() >= SHORTEST_HIDDEN {
        hidden(value, secret, DEEPEST);
    }
}

fn hidden(value: &mut Value, secret: &str, depth: usize) {
    if depth == 0 {
        return;
    }
    match value {
        Value::String(text) if text.contains(secret) => *text = text.replace(secret, HIDDEN),
        Value::Array(items) => items.iter_mut().for_each(|item| hidden(item, secret, depth - 1)),
        Value::Object(members) => members.values_mut().for_each(|member| hidden(member, secret, depth - 1)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(envelope: Value, status: Option<u16>) -> Result<Value, ErrorCode> {
        read(&Answer { envelope, status }, true).map_err(|failure| failure.code)
    }

    #[test]
    fn what_real_bridges_answer_is_understood() {
        let cases = [
            (json!({ "id": 1, "type": "success", "result": [1] }), Some(200), Ok(json!([1]))),
            (json!({ "success": true, "result": { "a": 1 } }), Some(200), Ok(json!({ "a": 1 }))),
            (json!({ "actions": [], "total": 0 }), Some(200), Ok(json!({ "actions": [], "total": 0 }))),
            (
                json!({ "type": "success", "result": { "success": false, "error": "Permission denied" } }),
                None,
                Err(ErrorCode::PermissionDenied),
            ),
            (
                json!({ "type": "success", "result": { "success": false, "error": "boom" } }),
                None,
                Err(ErrorCode::HandlerFailed),
            ),
            (
                json!({ "type": "error", "error": { "code": "session_expired", "message": "x" } }),
                Some(401),
                Err(ErrorCode::AuthExpired),
            ),
            (
                json!({ "error": { "code": "HUMAN_GATE_REQUIRED" } }),
                Some(202),
                Err(ErrorCode::HumanVerificationRequired),
            ),
            (json!({ "error": "nope" }), Some(403), Err(ErrorCode::PermissionDenied)),
            (
                json!({ "type": "error", "error": { "code": "unknown command", "message": "unknown command" } }),
                None,
                Err(ErrorCode::TransportFailed),
            ),
        ];
        for (envelope, status, expected) in cases {
            assert_eq!(of(envelope.clone(), status), expected, "{envelope}");
        }
    }

    #[test]
    fn a_strict_agent_accepts_only_the_envelope_of_the_protocol() {
        let answer = Answer { envelope: json!({ "success": true, "result": 1 }), status: Some(200) };
        assert!(read(&answer, false).is_err());
        assert!(read(&answer, true).is_ok());
    }

    #[test]
    fn b8_the_time_to_wait_is_passed_on() {
        let envelope =
            json!({ "type": "error", "error": { "code": "RATE_LIMITED", "message": "x", "retryAfter": 12 } });
        let failure = read(&Answer { envelope, status: Some(429) }, false).unwrap_err();
        assert_eq!(
            (failure.code, &failure.evidence["retry_after_ms"]),
            (ErrorCode::RateLimited, &json!(12_000))
        );
    }

    #[test]
    fn secrets_that_a_bridge_repeats_are_taken_out() {
        let mut value = json!({ "a": ["the key is wab_key_abc"], "b": { "c": 1 } });
        hide(&mut value, "wab_key_abc");
        assert_eq!(value["a"][0], "the key is [secret]");
    }
}
