//! `dom.extract`: reads records from the page by selectors.

use actions_browser::Deadline;
use actions_protocol::{ErrorCode, limits};
use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::locate::FrameChain;
use crate::patience::Patience;
use crate::scene::Scene;
use crate::{Failure, Stage};

/// The limits of a projection. What the projection makes of the records has limits of its own.
const MOST: Limits = Limits { max_records: 100_000, max_payload_bytes: limits::WORKING_STATE_BYTES.0 as u64 };

/// How much may be read at most.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct Limits {
    max_records: u64,
    max_payload_bytes: u64,
}

/// The extractors and their limits.
#[derive(Debug, Deserialize)]
pub(crate) struct Args {
    extract: Vec<Map<String, Value>>,
    #[serde(flatten)]
    limits: Limits,
}

/// What the extractors read from the page.
#[derive(Clone, Debug, Deserialize)]
pub struct Extracted {
    /// The records, by the id of their extractor.
    pub records: Value,
    /// How many elements every selector matched.
    pub selector_counts: Map<String, Value>,
    /// The required fields that were missing.
    pub missing_required_fields: Vec<String>,
    /// The address of the page.
    pub url: String,
    /// The title of the page.
    pub title: String,
    /// The extractors of frames that the script of the main document cannot reach.
    elsewhere: Vec<String>,
}

/// Runs all extractors in one round trip. Frames of other sites need calls of their own, which run concurrently.
pub async fn extract(stage: &Stage, extractors: &Value, deadline: Deadline) -> Result<Extracted, Failure> {
    let primitive = actions_dictionary::Dictionary::builtin()
        .get("dom.extract")
        .ok_or_else(|| Failure::new(ErrorCode::InternalError, "the dictionary has no `dom.extract`"))?;
    let items = extractors.as_array().into_iter().flatten().filter_map(Value::as_object).cloned().collect();
    take(Scene { stage, primitive, deadline }, Args { extract: items, limits: MOST }).await
}

/// Builds the output without another conversion of the records, which may be many.
pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Value, Failure> {
    let Extracted { records, selector_counts, missing_required_fields, url, title, .. } =
        take(scene, args).await?;
    let members = [
        ("records", records),
        ("selector_counts", Value::Object(selector_counts)),
        ("missing_required_fields", json!(missing_required_fields)),
        ("url", Value::String(url)),
        ("title", Value::String(title)),
    ];
    Ok(Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()))
}

async fn take(scene: Scene<'_>, args: Args) -> Result<Extracted, Failure> {
    let Args { extract, limits } = args;
    let main = scene.page().main_frame();
    let mut extracted: Extracted = scene.read_in(&main, "dom.extract", &request(&extract, limits)).await?;
    let elsewhere = std::mem::take(&mut extracted.elsewhere);
    if elsewhere.is_empty() {
        return Ok(extracted);
    }
    let mut frames: Vec<(FrameChain, Vec<Map<String, Value>>)> = Vec::new();
    for item in &extract {
        if !elsewhere.iter().any(|id| item.get("id").is_some_and(|other| other == id)) {
            continue;
        }
        let mut item = item.clone();
        let Some(chain) = item.shift_remove("frame").map(FrameChain::from) else { continue };
        match frames.iter_mut().find(|(known, _)| *known == chain) {
            Some((_, items)) => items.push(item),
            None => frames.push((chain, vec![item])),
        }
    }
    let reads = frames.iter().map(|(chain, items)| read_frame(scene, chain, items, limits));
    for part in try_join_all(reads).await? {
        if let (Some(records), Value::Object(more)) = (extracted.records.as_object_mut(), part.records) {
            records.extend(more);
        }
        extracted.selector_counts.extend(part.selector_counts);
        extracted.missing_required_fields.extend(part.missing_required_fields);
    }
    Ok(extracted)
}

async fn read_frame(
    scene: Scene<'_>,
    chain: &FrameChain,
    items: &[Map<String, Value>],
    limits: Limits,
) -> Result<Extracted, Failure> {
    let path = scene.path(chain, Patience::of(&scene, 0)).await?;
    scene.read_in(&path.frame, "dom.extract", &request(items, limits)).await
}

fn request(items: &[Map<String, Value>], limits: Limits) -> Value {
    json!({ "extract": items, "max_records": limits.max_records, "max_payload_bytes": limits.max_payload_bytes })
}
