//! `form.upload`: gives files to a file field, or to the file chooser that a click opens.

use std::path::{Path, PathBuf};

use actions_browser::FrameId;
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::chooser::{Chosen, hand};
use crate::Failure;
use crate::begun::Ended;
use crate::locate::Locator;
use crate::matched::Located;
use crate::patience::Patience;
use crate::scene::Scene;
use crate::services::Denied;

#[derive(Deserialize)]
pub(crate) struct Args {
    locator: Locator,
    files: Vec<String>,
    #[serde(default)]
    chooser: bool,
    timeout_ms: u64,
}

/// A file field, as the page script reads it.
#[derive(Deserialize)]
struct Field {
    multiple: bool,
    files: Vec<HeldFile>,
    #[serde(flatten)]
    located: Located,
}

/// A file field after it was given files.
#[derive(Deserialize)]
pub(super) struct Given {
    /// The files that it holds.
    files: Vec<HeldFile>,
    /// The files that it held when the page was told of them; `None` if the page was not told.
    told: Option<Vec<HeldFile>>,
    connected: bool,
}

/// A file that the field holds.
#[derive(Deserialize, Serialize)]
pub(super) struct HeldFile {
    name: String,
    size_bytes: u64,
}

#[derive(Serialize)]
pub(crate) struct Output {
    uploaded: bool,
    files: Vec<HeldFile>,
    kept: bool,
    /// Whether a file chooser was handed the files.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    chooser: bool,
    #[serde(flatten)]
    located: Located,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let files = args.files.iter().map(|file| opened(&scene, file)).collect::<Result<Vec<PathBuf>, _>>()?;
    if args.chooser {
        let Chosen { clicked, given } = hand(&scene, &args.locator, &files, args.timeout_ms).await?;
        return judged(&files, given, clicked.into(), true);
    }
    let patience = Patience::of(&scene, args.timeout_ms);
    let path = scene.path(args.locator.frames(), patience).await?;
    let question = json!({ "locator": args.locator.query() });
    let field: Field = scene.read_when_there(&path.frame, "form.files", &question, patience).await?;
    if files.len() > 1 && !field.multiple {
        return Err(Failure::new(ErrorCode::TargetNotActionable, "the field accepts only one file")
            .with_evidence("reason", "not_multiple"));
    }
    let now = match files.is_empty() {
        true => clear(&scene, &path.frame, question).await?,
        false => give(&scene, &path.frame, question, &files).await?,
    };
    judged(&files, now, field.located, false)
}

/// What a call says about files that were given to a field. The field of a chooser need not be in the document.
fn judged(files: &[PathBuf], now: Option<Given>, located: Located, chooser: bool) -> Result<Output, Failure> {
    // The field was given the files, and the page loaded another document because of that.
    let Some(now) = now else {
        let given = files.iter().map(|file| HeldFile::from(file.as_path())).collect();
        return Ok(Output { uploaded: true, files: given, kept: false, chooser, located });
    };
    let has_place = now.connected || chooser;
    let kept = has_place && now.files.len() == files.len();
    match now.told {
        _ if kept => Ok(Output { uploaded: true, files: now.files, kept, chooser, located }),
        // The page has taken the files over, and emptied or replaced the field, as widgets for uploads do.
        Some(told) if told.len() == files.len() => {
            Ok(Output { uploaded: true, files: told, kept, chooser, located })
        }
        _ if !has_place => {
            Err(Failure::new(ErrorCode::TargetDetached, "the field left the document with the files"))
        }
        _ => Err(Failure::new(ErrorCode::InputNotReceived, "the field does not hold the files")
            .with_evidence("held", now.files.len())),
    }
}

impl From<&Path> for HeldFile {
    fn from(file: &Path) -> Self {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Self { name, size_bytes: file.metadata().map_or(0, |about| about.len()) }
    }
}

/// Takes the files away, as a visitor does who chooses none. The browser itself ignores an empty list of files.
async fn clear(scene: &Scene<'_>, frame: &FrameId, mut question: Value) -> Result<Option<Given>, Failure> {
    question["clear"] = json!(true);
    Ok(match scene.finish_noted::<Field>(frame, "form.files", &question).await? {
        Ended::Answered(field) => Some(Given { files: field.files, told: None, connected: true }),
        Ended::Left(_) => None,
    })
}

/// Gives the field the files and returns what became of them; `None` if the page loaded another document because of that.
async fn give(
    scene: &Scene<'_>,
    frame: &FrameId,
    mut question: Value,
    files: &[PathBuf],
) -> Result<Option<Given>, Failure> {
    let left = || Failure::new(ErrorCode::TargetDetached, "the field left the document");
    let mut locator = question["locator"].clone();
    locator["file_field"] = json!(true);
    let element = scene.page().pick(frame, &locator, &[], scene.deadline).await?.ok_or_else(left)?;
    scene.page().set_files(&element, files, scene.deadline).await?;
    scene.page().release(std::slice::from_ref(&element));
    question["given"] = json!(true);
    match scene.look_in::<Given>(frame, "form.files", &question).await {
        Ok(given) => Ok(Some(given)),
        Err(failure) if scene.has_replaced_document(&failure).await => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// Opens a file. Fails unless it is a regular file inside a folder that the session may upload from.
fn opened(scene: &Scene<'_>, file: &str) -> Result<PathBuf, Failure> {
    let folders = &scene.stage.permits().upload_from;
    let opened = scene.stage.memory().uploads.open(Path::new(file), folders);
    opened.map_err(|denied| match denied {
        Denied::Unreadable(error) => Failure::new(ErrorCode::FileNotFound, format!("{file}: {error}")),
        Denied::Outside => Failure::new(
            ErrorCode::UploadDenied,
            format!("{file} is not in a folder that the session may upload from"),
        ),
    })
}
