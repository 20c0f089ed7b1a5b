//! Reads the cases of the corpus, in the format of `case.schema.json`.

use std::collections::BTreeMap;
use std::path::Path;

use actions_protocol::ErrorCode;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A case: primitives to perform on its page, and what must be true afterwards.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Case {
    /// The name of its folder.
    #[serde(skip)]
    pub(crate) name: String,
    pub(crate) topic: String,
    pub(crate) perform: Vec<Step>,
    pub(crate) deadline_ms: u64,
    pub(crate) expect: Expect,
    pub(crate) truth: Truth,
    #[serde(default)]
    pub(crate) serve: Serve,
}

/// One primitive to perform.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    pub(crate) primitive: String,
    pub(crate) args: Value,
}

/// The expected outcome.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Expect {
    pub(crate) outcome: Outcome,
    #[serde(default)]
    pub(crate) codes: Vec<ErrorCode>,
    #[serde(default)]
    pub(crate) names: Vec<String>,
    #[serde(default)]
    pub(crate) evidence: Map<String, Value>,
    #[serde(default)]
    pub(crate) output: Map<String, Value>,
    #[serde(default)]
    pub(crate) reports: Vec<String>,
}

/// Which outcomes are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    Success,
    Refusal,
    Either,
}

/// Assertions about what the page recorded.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Truth {
    #[serde(default)]
    pub(crate) always: Vec<Assertion>,
    #[serde(default)]
    pub(crate) on_success: Vec<Assertion>,
    #[serde(default)]
    pub(crate) on_refusal: Vec<Assertion>,
}

/// One assertion.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Assertion {
    Event(EventAssertion),
    Fact(FactAssertion),
}

/// Checks how many times an element received an event.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventAssertion {
    pub(crate) element: String,
    pub(crate) event: String,
    #[serde(default = "target")]
    pub(crate) at: String,
    #[serde(default = "yes")]
    pub(crate) trusted: bool,
    pub(crate) count: Option<usize>,
    pub(crate) min: Option<usize>,
    pub(crate) max: Option<usize>,
    #[serde(default, deserialize_with = "present")]
    pub(crate) value: Option<Value>,
    #[serde(default)]
    pub(crate) having: Map<String, Value>,
}

/// Checks the values of a fact that the page stated.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FactAssertion {
    pub(crate) fact: String,
    #[serde(default, deserialize_with = "present")]
    pub(crate) equals: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    pub(crate) ever: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    pub(crate) never: Option<Value>,
}

/// How the files of the case are served.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Serve {
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, BTreeMap<String, String>>,
    #[serde(default)]
    pub(crate) delays: BTreeMap<String, u64>,
    #[serde(default)]
    pub(crate) status: BTreeMap<String, u16>,
}

fn target() -> String {
    "target".to_owned()
}

fn yes() -> bool {
    true
}

/// Reads a `null` as a value, so that it differs from an absent field.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Reads every case of the corpus, in the order of their names.
pub(crate) fn read_all(corpus: &Path) -> Vec<Case> {
    let mut cases: Vec<Case> = std::fs::read_dir(corpus)
        .expect("the corpus is there")
        .map(|entry| entry.expect("the corpus can be listed").path())
        .filter(|path| path.is_dir())
        .map(|folder| read(&folder))
        .collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

fn read(folder: &Path) -> Case {
    let text = std::fs::read_to_string(folder.join("case.json")).expect("every folder has a case.json");
    let mut case: Case =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    case.name = folder.file_name().expect("a folder has a name").to_string_lossy().into_owned();
    case
}
