//! `transfer.write`: stores a value for later calls of the session.

use actions_protocol::{ErrorCode, Timestamp};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::Failure;
use crate::scene::Scene;
use crate::services::{Transfer, TransferFormat, TransferKey, TransferRecord, TransferSource};

/// The largest value, in bytes.
const MAX_BYTES: usize = 256 * 1024;

#[derive(Deserialize)]
pub(crate) struct Args {
    label: String,
    format: TransferFormat,
    value: Value,
    #[serde(default)]
    metadata: Map<String, Value>,
    ttl_seconds: u64,
    mode: Mode,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Mode {
    Replace,
    Append,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<TransferRecord, Failure> {
    if args.format != TransferFormat::Json && !args.value.is_string() {
        return Err(Failure::new(ErrorCode::TransferFormatUnsupported, "a value of this format is a string")
            .with_evidence("format", serde_json::json!(args.format)));
    }
    let now = scene.stage.clock().unix_millis();
    let mut store = scene.stage.memory().transfers.store();
    let present = store.find(&TransferKey::Label(args.label.clone()));
    let present = present.filter(|present| present.expires_ms > now && args.mode == Mode::Append);
    let value = match present {
        Some(present) if present.record.format == args.format => {
            appended(args.format, &present.value, args.value)?
        }
        Some(present) => {
            return Err(Failure::new(
                ErrorCode::TransferAppendIncompatible,
                "the stored value has another format",
            )
            .with_evidence("format", serde_json::json!(present.record.format)));
        }
        None => args.value,
    };
    let size_bytes = value.as_str().map_or_else(|| value.to_string().len(), str::len);
    if size_bytes > MAX_BYTES {
        let message = format!("the value has {size_bytes} bytes; {MAX_BYTES} are allowed");
        return Err(Failure::new(ErrorCode::TransferPayloadTooLarge, message)
            .with_evidence("bytes", size_bytes)
            .with_evidence("limit", MAX_BYTES));
    }
    let expires_ms = now.saturating_add(args.ttl_seconds.saturating_mul(1000));
    let record_count = record_count(args.format, &value);
    let record = TransferRecord {
        id: store.next_id(),
        label: args.label,
        format: args.format,
        source: TransferSource { url: scene.page().url() },
        created_at: Timestamp::from_unix_millis(now),
        expires_at: Timestamp::from_unix_millis(expires_ms),
        size_bytes,
        safe_preview: preview(args.format, &value),
        record_count,
        metadata: args.metadata,
    };
    store.keep(Transfer { record: record.clone(), value, expires_ms });
    Ok(record)
}

/// Text added to text, items to an array, lines to a list.
fn appended(format: TransferFormat, present: &Value, more: Value) -> Result<Value, Failure> {
    match (format, present, more) {
        (TransferFormat::Text, Value::String(text), Value::String(more)) => {
            Ok(Value::String(text.clone() + &more))
        }
        (TransferFormat::UriList, Value::String(list), Value::String(more)) => {
            Ok(Value::String(format!("{}\n{more}", list.trim_end())))
        }
        (TransferFormat::Json, Value::Array(items), Value::Array(more)) => {
            Ok(Value::Array(items.iter().cloned().chain(more).collect()))
        }
        (TransferFormat::Json, Value::Array(items), more) => {
            Ok(Value::Array(items.iter().cloned().chain([more]).collect()))
        }
        _ => Err(Failure::new(
            ErrorCode::TransferAppendIncompatible,
            "the stored value is not an array, so that no item can be added",
        )),
    }
}

/// How many items an array or list has.
fn record_count(format: TransferFormat, value: &Value) -> Option<usize> {
    match (format, value) {
        (TransferFormat::Json, Value::Array(items)) => Some(items.len()),
        (TransferFormat::UriList, Value::String(list)) => {
            Some(list.lines().filter(|line| !line.trim().is_empty()).count())
        }
        _ => None,
    }
}

/// A description that does not reveal the value.
fn preview(format: TransferFormat, value: &Value) -> String {
    match (record_count(format, value), value) {
        (Some(count), Value::Array(_)) => format!("array of {count} items"),
        (Some(count), _) => format!("list of {count} addresses"),
        (None, Value::String(text)) => format!("text of {} characters", text.chars().count()),
        (None, Value::Object(members)) => format!("object with {} members", members.len()),
        (None, Value::Number(_)) => "number".to_owned(),
        (None, Value::Bool(_)) => "boolean".to_owned(),
        (None, _) => "null".to_owned(),
    }
}
