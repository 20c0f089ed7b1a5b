//! The cases of a primitive, as `cases.json` has them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use actions_dictionary::{Dictionary, Primitive};
use actions_primitives::Marker;
use actions_protocol::ErrorCode;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The cases of one primitive.
pub(crate) struct Cases {
    pub(crate) primitive: &'static Primitive,
    /// The path of its folder below `fixtures/primitives`.
    pub(crate) folder: String,
    pub(crate) file: File,
}

/// A `cases.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    /// The first one succeeds, on `index.html`.
    pub(crate) cases: Vec<Case>,
    /// Arguments that are refused before anything happens.
    pub(crate) invalid: Vec<Value>,
    /// Markers that a projection has registered on the page.
    #[serde(default)]
    pub(crate) markers: Vec<Marker>,
}

/// What to perform, and what must come of it.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    /// What the case shows.
    pub(crate) name: String,
    #[serde(default = "index")]
    pub(crate) page: String,
    /// Primitives that come first and succeed.
    #[serde(default)]
    pub(crate) before: Vec<Step>,
    pub(crate) args: Value,
    /// A script that the page runs once the call waits in the document of a frame.
    pub(crate) meanwhile: Option<String>,
    /// JSON pointers into the output, and what stands there.
    #[serde(default)]
    pub(crate) output: Map<String, Value>,
    /// The code, when the case is one of failure.
    pub(crate) error: Option<ErrorCode>,
    /// Primitives that come afterwards and tell what really happened.
    #[serde(default)]
    pub(crate) after: Vec<Look>,
    /// Points of the picture in the output, as `x,y`, and their colours, as `r,g,b`.
    #[serde(default)]
    pub(crate) pixels: BTreeMap<String, String>,
    /// Words the message or the evidence must have.
    #[serde(default)]
    pub(crate) names: Vec<String>,
    /// The time the call has.
    #[serde(default = "ample")]
    pub(crate) deadline_ms: u64,
}

/// A primitive that comes before the one of the case.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    pub(crate) primitive: String,
    pub(crate) args: Value,
    /// How often it comes.
    #[serde(default = "once")]
    pub(crate) times: usize,
}

/// A look at the page after the case, and what it must see, by JSON pointers.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Look {
    pub(crate) primitive: String,
    pub(crate) args: Value,
    pub(crate) output: Map<String, Value>,
}

fn once() -> usize {
    1
}

fn index() -> String {
    "index.html".to_owned()
}

/// More than any call needs, so that a busy machine does not decide a case.
fn ample() -> u64 {
    30_000
}

/// The folder of the fixtures.
pub(crate) fn fixtures() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/primitives"))
}

/// The names of the primitives that are performed by this crate, with the folders of their cases.
pub(crate) fn folders() -> impl Iterator<Item = (&'static Primitive, String)> {
    actions_primitives::performed().map(|name| {
        let primitive = Dictionary::builtin().get(name).expect("what is performed is in the dictionary");
        (primitive, name.replace('.', "/"))
    })
}

/// Reads the cases of every performed primitive.
pub(crate) fn read_all() -> Vec<Cases> {
    folders()
        .map(|(primitive, folder)| Cases { primitive, file: read(&fixtures().join(&folder)), folder })
        .collect()
}

fn read(folder: &Path) -> File {
    let path = folder.join("cases.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
