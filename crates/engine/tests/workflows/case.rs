//! Reads the fixtures of a case.

use std::path::{Path, PathBuf};

use actions_engine::{Engine, Limits, Rules};
use actions_protocol::{ByteLimit, Millis};
use serde::Deserialize;
use serde_json::{Value, json};

/// The origin maps are written for.
pub(crate) const ORIGIN: &str = "https://fixture.example";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    #[serde(skip)]
    pub(crate) folder: PathBuf,
    pub(crate) tool: String,
    /// The address of the page; `/page.html` when absent.
    #[serde(default = "page")]
    pub(crate) path: String,
    #[serde(default = "nothing")]
    pub(crate) input: Value,
    #[serde(default)]
    pub(crate) timeout_ms: Option<u64>,
    #[serde(default)]
    allow_handlers: bool,
    #[serde(default)]
    allow_debug: bool,
    #[serde(default)]
    limits: CaseLimits,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct CaseLimits {
    max_steps: Option<usize>,
    max_items: Option<usize>,
    max_attempts: Option<usize>,
    expression_bytes: Option<usize>,
    output_bytes: Option<usize>,
    pace: Option<u64>,
    precondition_timeout: Option<u64>,
}

fn page() -> String {
    "/page.html".to_owned()
}

fn nothing() -> Value {
    json!({})
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/workflows")
}

/// The names of the folders, sorted.
pub(crate) fn structures() -> Vec<String> {
    names(&fixtures())
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let folders = entries.map(Result::unwrap).filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The cases of a structure; at least one.
pub(crate) fn cases(structure: &str) -> Vec<Case> {
    let folder = fixtures().join(structure);
    let cases: Vec<Case> = names(&folder).iter().map(|name| Case::read(folder.join(name))).collect();
    assert!(!cases.is_empty(), "{structure} has no case");
    cases
}

impl Case {
    fn read(folder: PathBuf) -> Self {
        let path = folder.join("case.json");
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let case: Self =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self { folder, ..case }
    }

    /// The engine with the map, written for another origin.
    pub(crate) fn engine(&self, origin: &str) -> Engine {
        let map = std::fs::read_to_string(self.folder.join("actions.json")).unwrap();
        let engine = Engine::from_bytes("actions.json", map.replace(ORIGIN, origin).as_bytes());
        let engine = engine.unwrap_or_else(|error| panic!("{}: {error}", self.folder.display()));
        let given = &self.limits;
        engine
            .with_policy(Rules::default().allow_handlers(self.allow_handlers).allow_debug(self.allow_debug))
            .with_limits(Limits::default().with(|limits| {
                limits.max_steps = given.max_steps.unwrap_or(limits.max_steps);
                limits.max_items = given.max_items.unwrap_or(limits.max_items);
                limits.max_attempts = given.max_attempts.unwrap_or(limits.max_attempts);
                limits.expression_bytes = given.expression_bytes.map_or(limits.expression_bytes, ByteLimit);
                limits.output_bytes = given.output_bytes.map_or(limits.output_bytes, ByteLimit);
                limits.pace = Millis(given.pace.unwrap_or(0));
                limits.precondition_timeout =
                    given.precondition_timeout.map_or(limits.precondition_timeout, Millis);
            }))
    }
}
