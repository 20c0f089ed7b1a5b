//! `transfer.insert`: puts a stored value into an editable element.

use actions_protocol::ErrorCode;
use serde::Deserialize;
use serde_json::Value;

use super::find::find;
use crate::Failure;
use crate::scene::Scene;
use crate::services::{Transfer, TransferFormat, TransferKey};
use crate::template::{fill, plain};
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
            (Some(template), _) => fill(template, item, str::to_owned),
            (None, Some(TransferFormat::Json)) => Ok(item.to_string()),
            (None, _) => Ok(plain(item)),
        }
    }
}
