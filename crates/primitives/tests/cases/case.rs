//! Reads `cases.json`: the cases of a primitive.

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
    /// The cases. The first one succeeds, on `index.html`.
    pub(crate) cases: Vec<Case>,
    /// Arguments that the primitive refuses before it does anything.
    pub(crate) invalid: Vec<Value>,
    /// The markers to register on the page first, as a projection would.
    #[serde(default)]
    pub(crate) markers: Vec<Marker>,
}

/// A call of the primitive and its expected outcome.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    /// What the case shows, as a sentence.
    pub(crate) name: String,
    #[serde(default = "index")]
    pub(crate) page: String,
    /// Primitives to perform first. They must succeed.
    #[serde(default)]
    pub(crate) before: Vec<Step>,
    pub(crate) args: Value,
    /// A script that the page runs while the call waits in the document of a frame.
    pub(crate) meanwhile: Option<String>,
    /// Expected values of the output, by JSON pointer.
    #[serde(default)]
    pub(crate) output: Map<String, Value>,
    /// The expected error code; the case succeeds when absent.
    pub(crate) error: Option<ErrorCode>,
    /// Primitives to perform afterwards, whose outputs show what really happened.
    #[serde(default)]
    pub(crate) after: Vec<Look>,
    /// Expected pixels of the screenshot in the output: `x,y` and the colour `r,g,b`.
    #[serde(default)]
    pub(crate) pixels: BTreeMap<String, String>,
    /// Words that the message or the evidence must contain.
    #[serde(default)]
    pub(crate) names: Vec<String>,
    /// The time limit of the call.
    #[serde(default = "ample")]
    pub(crate) deadline_ms: u64,
}

/// A primitive to perform before the case.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    pub(crate) primitive: String,
    pub(crate) args: Value,
    /// How many times to perform it.
    #[serde(default = "once")]
    pub(crate) times: usize,
}

/// A primitive to perform after the case, and the expected values of its output, by JSON pointer.
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

/// More time than any call needs, so that cases do not fail on a busy machine.
fn ample() -> u64 {
    30_000
}

/// The folder of the fixtures.
pub(crate) fn fixtures() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/primitives"))
}

/// The primitives that this crate performs, with the folders of their cases.
pub(crate) fn folders() -> impl Iterator<Item = (&'static Primitive, String)> {
    actions_primitives::performed().map(|name| {
        let primitive =
            Dictionary::builtin().get(name).expect("the dictionary has every performed primitive");
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
