//! `form.upload`: sets the files of a file field.

use std::path::{Path, PathBuf};

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Failure;
use crate::locate::Locator;
use crate::matched::Matched;
use crate::patience::Patience;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    locator: Locator,
    files: Vec<String>,
    timeout_ms: u64,
}

/// A file field, as the page script reads it.
#[derive(Deserialize)]
struct Field {
    #[serde(default)]
    multiple: bool,
    #[serde(default)]
    files: Vec<Value>,
    #[serde(flatten)]
    matched: Matched,
    matched_by: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct Output {
    uploaded: bool,
    files: Vec<Value>,
    #[serde(flatten)]
    matched: Matched,
    #[serde(skip_serializing_if = "Option::is_none")]
    matched_by: Option<String>,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let files = args.files.iter().map(|file| allowed(&scene, file)).collect::<Result<Vec<PathBuf>, _>>()?;
    let patience = Patience::of(&scene, args.timeout_ms);
    let path = scene.path(args.locator.frames(), patience).await?;
    let mut question = json!({ "locator": args.locator.query() });
    let field: Field = scene.read_when_there(&path.frame, "form.files", &question, patience).await?;
    if files.len() > 1 && !field.multiple {
        return Err(Failure::new(ErrorCode::TargetNotActionable, "the field accepts only one file")
            .with_evidence("reason", "not_multiple"));
    }
    let element = scene.page().pick(&path.frame, args.locator.query(), &[], scene.deadline).await?;
    let left = || Failure::new(ErrorCode::TargetDetached, "the field left the document");
    let element = element.ok_or_else(left)?;
    scene.page().set_files(&element, &files, scene.deadline).await?;
    scene.page().release(std::slice::from_ref(&element));
    question["given"] = json!(true);
    let now = scene.read_in(&path.frame, "form.files", &question).await;
    let now: Field = now.map_err(|failure| match failure.code {
        ErrorCode::TargetNotFound => left(),
        _ => failure,
    })?;
    let held = now.files.len();
    if held != files.len() {
        return Err(Failure::new(ErrorCode::InputNotReceived, "the field does not hold the files")
            .with_evidence("held", held));
    }
    let Field { files, matched, matched_by, .. } = now;
    Ok(Output { uploaded: true, files, matched, matched_by })
}

/// Resolves a file. Fails unless it exists and is inside a folder that the session may upload from.
fn allowed(scene: &Scene<'_>, file: &str) -> Result<PathBuf, Failure> {
    let missing = |error: std::io::Error| Failure::new(ErrorCode::FileNotFound, format!("{file}: {error}"));
    let path = Path::new(file).canonicalize().map_err(missing)?;
    let roots = &scene.stage.permits().upload_from;
    let inside = roots.iter().filter_map(|root| root.canonicalize().ok()).any(|root| path.starts_with(root));
    if inside {
        return Ok(path);
    }
    Err(Failure::new(
        ErrorCode::UploadDenied,
        format!("{file} is not in a folder that the session may upload from"),
    ))
}
