//! The content of an overlay and its launchers.

use std::sync::atomic::{AtomicU64, Ordering};

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::Failure;
use crate::scene::Scene;
use crate::storage::read_file::read_declared;
use crate::template::fill;

/// The largest template and the largest data, in bytes.
const LARGEST: u64 = 1_000_000;

#[derive(Deserialize)]
pub(crate) struct Args {
    html: Option<String>,
    template: Option<Stored>,
    data: Option<Stored>,
    #[serde(default)]
    title: Option<String>,
    width: u32,
    height: u32,
    #[serde(default)]
    launchers: Vec<Launcher>,
}

/// A file that the map declares. The scope is the storage's, and every declared file is in that of its map.
#[derive(Deserialize)]
struct Stored {
    path: String,
}

#[derive(Deserialize)]
struct Launcher {
    id: Option<String>,
    label: Option<String>,
    title: Option<String>,
    placement: Option<String>,
    max_instances: Option<u32>,
    #[serde(flatten)]
    place: Map<String, Value>,
}

#[derive(Deserialize, Serialize)]
pub(crate) struct Output {
    overlay_id: String,
    launchers: Vec<Value>,
}

/// Calls a function of the page script with the content and the launchers of an overlay.
pub(super) async fn put(scene: &Scene<'_>, function: &str, args: Args) -> Result<Output, Failure> {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let title = args.title.unwrap_or_else(|| "Overlay".to_owned());
    let html = match (args.html, args.template) {
        (Some(html), _) => html,
        (None, Some(template)) => filled(scene, &template.path, args.data.map(|data| data.path))?,
        (None, None) => String::new(),
    };
    let launchers = args.launchers.into_iter().enumerate();
    let launchers = launchers.map(|(index, launcher)| launcher.shown(number, index, &title));
    let question = json!({
        "overlay_id": format!("overlay-{number}"),
        "title": title.clone(),
        "html": html,
        "width": args.width,
        "height": args.height,
        "launchers": launchers.collect::<Vec<_>>(),
    });
    scene.act_in(&scene.page().main_frame(), function, &question).await
}

/// A stored template with stored data in it.
fn filled(scene: &Scene<'_>, template: &str, data: Option<String>) -> Result<String, Failure> {
    let read = |path: &str| {
        read_declared(scene, path, LARGEST).map_err(|failure| match failure.code {
            ErrorCode::PayloadTooLarge => Failure { code: ErrorCode::InvalidInput, ..failure },
            _ => failure,
        })
    };
    let template = read(template)?;
    let data = match data {
        None => json!({}),
        Some(path) => serde_json::from_str(&read(&path)?).map_err(|error| {
            let message = format!("the data `{path}` is no JSON: {error}");
            Failure::new(ErrorCode::InvalidInput, message).with_evidence("path", path)
        })?,
    };
    fill(&template, &data, escaped)
}

/// A text as HTML.
fn escaped(text: &str) -> String {
    let escape = |character: char| match character {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        '\'' => "&#39;".to_owned(),
        other => other.to_string(),
    };
    text.chars().map(escape).collect()
}

impl Launcher {
    /// The launcher as the page script takes it.
    fn shown(mut self, overlay: u64, index: usize, title: &str) -> Value {
        let mut locator = Map::new();
        for key in ["selector", "selectors", "text_contains", "text_equals"] {
            if let Some(value) = self.place.remove(key) {
                locator.insert(key.to_owned(), value);
            }
        }
        if !locator.contains_key("selector") && !locator.contains_key("selectors") {
            locator.insert("selector".to_owned(), json!("body"));
        }
        let label = self.label.or(self.title).unwrap_or_else(|| title.to_owned());
        let id = self.id.unwrap_or_else(|| format!("launcher-{overlay}-{}", index + 1));
        let mut shown = json!({
            "id": id,
            "label": label,
            "locator": locator,
            "placement": self.placement.unwrap_or_else(|| "afterend".to_owned()),
            "max_instances": self.max_instances.unwrap_or(3),
        });
        for key in ["url_contains", "url_matches"] {
            if let Some(value) = self.place.remove(key) {
                shown[key] = value;
            }
        }
        shown
    }
}
