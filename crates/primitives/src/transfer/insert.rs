//! `transfer.insert`: puts a stored value into an editable element.

use actions_protocol::ErrorCode;
use serde::Deserialize;
use serde_json::Value;

use super::find::find;
use crate::Failure;
use crate::scene::Scene;
use crate::services::{Transfer, TransferFormat, TransferKey};
use crate::text::TextTarget;
use crate::text::insert::{Args as InsertArgs, Output, perform as insert};

#[derive(Deserialize)]
pub(crate) struct Args {
    #[serde(flatten)]
    key: TransferKey,
    item_selector: Option<Item>,
    #[serde(default)]
    render: Render,
    target: Option<TextTarget>,
    mode: String,
    timeout_ms: u64,
}

#[derive(Deserialize)]
struct Item {
    index: usize,
}

/// How the item becomes text.
#[derive(Default, Deserialize)]
struct Render {
    format: Option<TransferFormat>,
    template: Option<String>,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let transfer = find(&scene, &args.key)?;
    let item = match &args.item_selector {
        Some(item) => pick(&transfer, item.index)?,
        None => transfer.value,
    };
    let text = args.render.text(&item)?;
    insert(scene, InsertArgs::new(text, args.target, args.mode, args.timeout_ms)).await
}

/// The item of an array, or the line of a list.
fn pick(transfer: &Transfer, index: usize) -> Result<Value, Failure> {
    let (item, count) = match (transfer.record.format, &transfer.value) {
        (TransferFormat::UriList, Value::String(list)) => {
            let lines: Vec<&str> = list.lines().filter(|line| !line.trim().is_empty()).collect();
            (lines.get(index).map(|line| Value::from(line.trim())), lines.len())
        }
        (TransferFormat::Json, Value::Array(items)) => (items.get(index).cloned(), items.len()),
        _ => {
            let message = "the value is neither an array nor a list, so it has no items";
            return Err(Failure::new(ErrorCode::TransferItemSelectorInvalid, message));
        }
    };
    item.ok_or_else(|| {
        let message = format!("the value has no item {index}; it has {count}");
        Failure::new(ErrorCode::TransferItemSelectorInvalid, message)
            .with_evidence("index", index)
            .with_evidence("item_count", count)
    })
}

impl Render {
    fn text(&self, item: &Value) -> Result<String, Failure> {
        match (&self.template, self.format) {
            (Some(template), _) => fill(template, item),
            (None, Some(TransferFormat::Json)) => Ok(item.to_string()),
            (None, _) => Ok(plain(item)),
        }
    }
}

/// A value as text: a string as it is, null as nothing, anything else as JSON.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Puts the fields of an item into a template. Nothing is evaluated: what a field contains is never a template.
fn fill(template: &str, item: &Value) -> Result<String, Failure> {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((path, behind)) = after.split_once("}}") else { break };
        filled.push_str(before);
        filled.push_str(&plain(field(item, path.trim())?));
        rest = behind;
    }
    filled.push_str(rest);
    Ok(filled)
}

/// The field of an item at a dotted path; `value` is the item itself, unless it has a field of this name.
fn field<'v>(item: &'v Value, path: &str) -> Result<&'v Value, Failure> {
    let step = |value: &'v Value, name: &str| match value {
        Value::Array(items) => name.parse::<usize>().ok().and_then(|index| items.get(index)),
        other => other.get(name),
    };
    let found = path.split('.').try_fold(item, step).or_else(|| (path == "value").then_some(item));
    found.ok_or_else(|| {
        let message = format!("the template names `{path}`, which the item does not have");
        let names: Vec<String> =
            item.as_object().into_iter().flatten().map(|(name, _)| name.clone()).take(50).collect();
        Failure::new(ErrorCode::TransferItemSelectorInvalid, message)
            .with_evidence("field", path)
            .with_evidence("fields", names)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::fill;

    #[test]
    fn a_template_is_filled_once_and_evaluates_nothing() {
        let item = json!({ "a": { "b": [1, "{{c}}"] }, "c": null, "value": "own" });
        assert_eq!(fill("<{{a.b.0}}|{{ a.b.1 }}|{{c}}>", &item).unwrap(), "<1|{{c}}|>");
        assert_eq!(fill("{{value}} {{open", &item).unwrap(), "own {{open");
        assert_eq!(fill("{{value}}", &json!(7)).unwrap(), "7");
        assert!(fill("{{missing}}", &item).unwrap_err().message.contains("`missing`"));
    }
}
