//! `storage.read_file`: reads a text file that the map declares.

use std::fs::File;
use std::io::Read;

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::front_matter::front_matter;
use crate::Failure;
use crate::scene::Scene;
use crate::services::MapFile;

#[derive(Deserialize)]
pub(crate) struct Args {
    #[serde(flatten)]
    name: Name,
    max_bytes: u64,
}

/// By what the file is found.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Name {
    Id(String),
    Path(String),
}

#[derive(Serialize)]
pub(crate) struct Output {
    id: Option<String>,
    path: String,
    relative_path: String,
    kind: String,
    mime_type: &'static str,
    bytes: usize,
    front_matter: Option<Map<String, Value>>,
    text: String,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let file = find(scene.stage.services().files(), &args.name)?;
    let text = read(&file, args.max_bytes)?;
    let mime_type = mime_type(&file.path);
    Ok(Output {
        front_matter: (mime_type == "text/markdown").then(|| front_matter(&text)).flatten(),
        relative_path: relative(&file.path),
        id: file.id,
        kind: file.kind.unwrap_or_else(|| super::list::PLAIN.to_owned()),
        path: file.path,
        mime_type,
        bytes: text.len(),
        text,
    })
}

/// The text of a declared file, by its path.
pub(crate) fn read_declared(scene: &Scene<'_>, path: &str, max_bytes: u64) -> Result<String, Failure> {
    let file = find(scene.stage.services().files(), &Name::Path(path.to_owned()))?;
    read(&file, max_bytes)
}

fn read(file: &MapFile, max_bytes: u64) -> Result<String, Failure> {
    let missing = |why: String| {
        Failure::new(ErrorCode::StorageFileNotFound, format!("the file `{}` {why}", file.path))
            .with_evidence("path", file.path.clone())
    };
    let on_disk = file.on_disk().ok_or_else(|| missing("is not in the folder of the map".to_owned()))?;
    let mut bytes = Vec::new();
    File::open(&on_disk)
        .and_then(|opened| opened.take(max_bytes + 1).read_to_end(&mut bytes))
        .map_err(|error| missing(format!("cannot be read: {error}")))?;
    if bytes.len() as u64 > max_bytes {
        let message = format!("the file `{}` is larger than {max_bytes} bytes", file.path);
        return Err(Failure::new(ErrorCode::PayloadTooLarge, message)
            .with_evidence("limit", max_bytes)
            .with_evidence("hint", "raise `max_bytes`"));
    }
    String::from_utf8(bytes).map_err(|_| missing("is no text in UTF-8".to_owned()))
}

fn find(files: Vec<MapFile>, name: &Name) -> Result<MapFile, Failure> {
    let known: Vec<String> = files.iter().map(|file| file.path.clone()).take(100).collect();
    let fits = |file: &MapFile| match name {
        Name::Id(id) => file.id.as_deref() == Some(id),
        Name::Path(path) => relative(&file.path) == relative(path),
    };
    let mut fitting = files.into_iter().filter(fits);
    let (key, wanted) = match name {
        Name::Id(id) => ("id", id),
        Name::Path(path) => ("path", path),
    };
    let Some(file) = fitting.next() else {
        let message = format!("the map declares no file with the {key} `{wanted}`");
        return Err(Failure::new(ErrorCode::StorageFileNotFound, message).with_evidence("declared", known));
    };
    if matches!(name, Name::Id(_)) && fitting.next().is_some() {
        let message = format!("the map declares more than one file with the id `{wanted}`");
        return Err(Failure::new(ErrorCode::StorageFileAmbiguousId, message)
            .with_evidence("hint", "name the file by its `path`"));
    }
    Ok(file)
}

/// A declared path without `./` and doubled slashes.
fn relative(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    parts.join("/")
}

/// The type of a file by the end of its name.
fn mime_type(path: &str) -> &'static str {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    match ending.as_str() {
        "md" | "markdown" => "text/markdown",
        "json" => "application/json",
        "html" | "htm" => "text/html",
        "css" => "text/css",
        "js" | "mjs" => "text/javascript",
        "csv" => "text/csv",
        "xml" => "application/xml",
        "yaml" | "yml" => "application/yaml",
        _ => "text/plain",
    }
}
