//! `transfer.read`: reads a stored value, or what is known about it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::find::find;
use crate::Failure;
use crate::scene::Scene;
use crate::services::{TransferKey, TransferRecord};

#[derive(Deserialize)]
pub(crate) struct Args {
    #[serde(flatten)]
    key: TransferKey,
    include_value: bool,
}

#[derive(Serialize)]
pub(crate) struct Output {
    record: TransferRecord,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Value>,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let transfer = find(&scene, &args.key)?;
    Ok(Output { record: transfer.record, value: args.include_value.then_some(transfer.value) })
}
