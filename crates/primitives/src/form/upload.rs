//! `form.upload`: gives files to a file field.

use std::path::{Path, PathBuf};

use actions_protocol::ErrorCode;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Failure;
use crate::patience::Patience;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    locator: Value,
    files: Vec<String>,
    timeout_ms: u64,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Map<String, Value>, Failure> {
    let files = args.files.iter().map(|file| allowed(&scene, file)).collect::<Result<Vec<PathBuf>, _>>()?;
    let patience = Patience::of(&scene, args.timeout_ms);
    let (path, located) = scene.aim(&json!({ "locator": args.locator }), patience).await?;
    let field: Map<String, Value> =
        scene.read_when_there(&path.frame, "form.files", &located, patience).await?;
    if files.len() > 1 && field.get("multiple") != Some(&Value::Bool(true)) {
        return Err(Failure::new(ErrorCode::TargetNotActionable, "the field takes one file only")
            .with_evidence("reason", "not_multiple"));
    }
    let element = scene.page().pick(&path.frame, &located["locator"], &[], scene.deadline).await?;
    let left = || Failure::new(ErrorCode::TargetDetached, "the field left the document");
    let element = element.ok_or_else(left)?;
    scene.page().set_files(&element, &files, scene.deadline).await?;
    scene.page().release(std::slice::from_ref(&element));
    let mut again = located;
    again["given"] = json!(true);
    let now = scene.read_in(&path.frame, "form.files", &again).await;
    let now: Map<String, Value> = now.map_err(|failure| match failure.code {
        ErrorCode::TargetNotFound => left(),
        _ => failure,
    })?;
    let held = now.get("files").and_then(Value::as_array).map_or(0, Vec::len);
    if held != files.len() {
        return Err(Failure::new(ErrorCode::InputNotReceived, "the field does not hold the files")
            .with_evidence("held", held));
    }
    let mut output = Map::new();
    output.insert("uploaded".to_owned(), json!(true));
    for key in ["files", "ambiguous", "candidate_count", "identity", "matched_by"] {
        output.extend(now.get(key).map(|value| (key.to_owned(), value.clone())));
    }
    Ok(output)
}

/// The file, if it is there and inside a folder that may be uploaded from.
fn allowed(scene: &Scene<'_>, file: &str) -> Result<PathBuf, Failure> {
    let missing = |error: std::io::Error| Failure::new(ErrorCode::FileNotFound, format!("{file}: {error}"));
    let path = Path::new(file).canonicalize().map_err(missing)?;
    let roots = &scene.stage.permits().upload_from;
    let inside = roots.iter().filter_map(|root| root.canonicalize().ok()).any(|root| path.starts_with(root));
    if inside {
        return Ok(path);
    }
    Err(Failure::new(ErrorCode::UploadDenied, format!("{file} is not in a folder that may be uploaded from")))
}
