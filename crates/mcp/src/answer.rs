//! Results of tools: a value or an error as structured content, with a short text for models.

use actions_engine::CallError;
use rmcp::model::{CallToolResult, ContentBlock, MetaObject, Resource};
use serde_json::{Map, Value, json};

use crate::large::Large;
use crate::options::{ServerOptions, TextStyle};
use crate::outline::outline;
use crate::schema::{ERROR, RESOURCE, RESULT};

/// What stands before text that a page has written.
pub(crate) const LABEL: &str = "untrusted page data: ";

/// The member of `_meta` that says the same for programs.
pub(crate) const UNTRUSTED: &str = "actions/untrusted";

/// A value of at most this many bytes stands whole in the short text of a result.
const SMALL: usize = 300;

/// How many bytes one piece of evidence of an error may have.
const EVIDENCE: usize = 2_048;

/// How many bytes an error may have.
const ERROR_BYTES: usize = 8_192;

/// A value that becomes a result.
pub(crate) struct Answer<'a> {
    /// What made it, for the name of a large result.
    pub(crate) of: &'a str,
    pub(crate) value: Value,
    /// Whether it stands below `result`: it does if it is no object.
    pub(crate) wraps: bool,
    /// Whether a page has written it, rather than this server or a map.
    pub(crate) untrusted: bool,
}

impl Answer<'_> {
    /// The result of a call. A value over the budget becomes a resource; it is never cut.
    pub(crate) fn into_result(self, options: &ServerOptions, large: &Large) -> CallToolResult {
        let Self { of, value, wraps, untrusted } = self;
        let text = value.to_string();
        let mut result = if text.len() > options.result_bytes {
            let bytes = text.len();
            let uri = format!("actions://result/{}", large.keep(text));
            let said = format!("{} ({bytes} bytes): read {uri}", outline(&value));
            let link = Resource::new(uri.clone(), format!("result of {of}"));
            let link = link.with_mime_type("application/json").with_size(bytes as u64);
            let mut result =
                CallToolResult::success(vec![labelled(&said, untrusted), ContentBlock::resource_link(link)]);
            result.structured_content = Some(json!({ RESOURCE: uri, "bytes": bytes }));
            result
        } else {
            let said = match options.text {
                TextStyle::Short if text.len() > SMALL => outline(&value),
                TextStyle::Short | TextStyle::Full => text,
            };
            let mut result = CallToolResult::success(vec![labelled(&said, untrusted)]);
            let structured = if wraps || !value.is_object() { json!({ RESULT: value }) } else { value };
            result.structured_content = Some(structured);
            result
        };
        // The field says nothing that its absence does not say.
        result.is_error = None;
        if untrusted {
            result.meta = Some(untrusted_meta());
        }
        result
    }
}

/// What marks results and contents that a page has written.
pub(crate) fn untrusted_meta() -> MetaObject {
    let mut meta = MetaObject::new();
    meta.insert(UNTRUSTED.to_owned(), json!(true));
    meta
}

fn labelled(text: &str, untrusted: bool) -> ContentBlock {
    match untrusted {
        true => ContentBlock::text(format!("{LABEL}{text}")),
        false => ContentBlock::text(text),
    }
}

/// The result of a call that failed. What the page says stands in the evidence, as data.
pub(crate) fn failed(error: &CallError) -> CallToolResult {
    failed_with(error, Map::new())
}

/// The result of a call that failed, with more members for the error.
pub(crate) fn failed_with(error: &CallError, more: Map<String, Value>) -> CallToolResult {
    let mut object = error.to_error_object();
    let hint = error.evidence.get("hint").and_then(Value::as_str);
    let help = hint.map_or_else(|| error.safe_recovery().to_owned(), str::to_owned);
    if object.next_step.is_none() {
        object.next_step = Some(help.clone());
    }
    let mut structured = json!(object);
    if let Some(members) = structured.as_object_mut() {
        members.extend(more);
    }
    bound(&mut structured);
    let text = format!("{LABEL}error {}: {}. Next: {help}", error.code, plain(&error.message));
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.structured_content = Some(json!({ ERROR: structured }));
    result.meta = Some(untrusted_meta());
    result
}

/// Leaves out evidence that is too large, and says so.
fn bound(error: &mut Value) {
    let omit = |evidence: &mut Map<String, Value>, limit: usize| {
        for value in evidence.values_mut() {
            let bytes = value.to_string().len();
            if bytes > limit {
                *value = json!({ "omitted_bytes": bytes });
            }
        }
    };
    for limit in [EVIDENCE, EVIDENCE / 8] {
        if error.to_string().len() <= ERROR_BYTES {
            return;
        }
        for at in ["/evidence", "/cause/evidence"] {
            if let Some(evidence) = error.pointer_mut(at).and_then(Value::as_object_mut) {
                omit(evidence, limit);
            }
        }
    }
}

/// A sentence in one line of bounded length, without its full stop.
fn plain(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(500).collect();
    line.trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use actions_engine::ErrorCode;

    use super::*;

    fn result(value: Value, options: &ServerOptions) -> Value {
        let answer = Answer { of: "x", value, wraps: false, untrusted: true };
        json!(answer.into_result(options, &Large::default()))
    }

    #[test]
    fn a_value_is_whole_outlined_or_linked_but_never_cut() {
        let options = ServerOptions::default();
        let small = result(json!({ "a": 1 }), &options);
        assert_eq!(small["structuredContent"], json!({ "a": 1 }));
        assert_eq!(small["content"][0]["text"], r#"untrusted page data: {"a":1}"#);
        assert_eq!(small["_meta"], json!({ "actions/untrusted": true }));

        let middle = json!({ "text": "x".repeat(1_000) });
        assert_eq!(result(middle.clone(), &options)["structuredContent"], middle);
        assert_eq!(
            result(middle.clone(), &options)["content"][0]["text"],
            "untrusted page data: {text: text of 1000 characters}"
        );
        let full = result(middle, &options.clone().text(TextStyle::Full));
        assert!(full["content"][0]["text"].as_str().unwrap().len() > 1_000);

        let large = result(json!(["x".repeat(20_000)]), &options);
        assert_eq!(large["structuredContent"], json!({ "resource": "actions://result/1", "bytes": 20_004 }));
        assert_eq!(large["content"][1]["type"], "resource_link");
        assert!(large.get("isError").is_none_or(|is_error| is_error == false));
        assert_eq!(result(json!(7), &options)["structuredContent"], json!({ "result": 7 }));
    }

    #[test]
    fn an_error_has_code_help_and_bounded_evidence() {
        let error = CallError::new(ErrorCode::TargetNotFound, "no element matches `#x`\nat all")
            .with_evidence("selector", "#x")
            .with_evidence("html", "y".repeat(100_000));
        let result = json!(failed(&error));
        assert_eq!(result["isError"], true);
        let shown = &result["structuredContent"]["error"];
        assert_eq!(shown["code"], "target_not_found");
        assert_eq!(shown["evidence"]["selector"], "#x");
        assert_eq!(shown["evidence"]["html"], json!({ "omitted_bytes": 100_002 }));
        assert!(shown["next_step"].is_string());
        assert!(!result["content"][0]["text"].as_str().unwrap().contains('\n'));
        assert!(result.to_string().len() < ERROR_BYTES + 2_000);
    }
}
