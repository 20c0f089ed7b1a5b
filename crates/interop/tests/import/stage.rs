//! Documents of the fixtures, sites that serve them, and sessions that call their actions.

use std::path::PathBuf;
use std::sync::Arc;

use actions_engine::{CallError, Engine, Host, HttpCaller, Session};
use actions_interop::credentials::Credentials;
use actions_interop::fetch::Client;
use actions_interop::http::DirectCaller;
use actions_interop::identity::Identity;
use actions_interop::import::{ImportError, Imported, Source, Wishes, import};
use actions_manifest::{Finding, Options, validate};
use serde_json::Value;

/// The bytes of a fixture.
pub(crate) fn fixture(path: &str) -> Vec<u8> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/interop"));
    let path = folder.join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A fixture as JSON, to be changed.
pub(crate) fn json_of(path: &str) -> Value {
    serde_json::from_slice(&fixture(path)).unwrap()
}

/// Imports a document as a file.
pub(crate) fn imported(document: &Value, wishes: &Wishes) -> Result<Imported, ImportError> {
    import(&Source::file("document.json", document.to_string().into_bytes()), wishes)
}

/// Imports a document that a site serves.
pub(crate) fn served(document: &Value, url: &str, wishes: &Wishes) -> Result<Imported, ImportError> {
    import(&Source::fetched(url.parse().unwrap(), document.to_string().into_bytes()), wishes)
}

/// The tool of a map.
pub(crate) fn tool<'m>(map: &'m Value, name: &str) -> &'m Value {
    let tools = map["tools"].as_array().unwrap();
    let found = tools.iter().find(|tool| tool["name"] == name);
    found.unwrap_or_else(|| {
        panic!("no tool {name} in {:?}", tools.iter().map(|tool| &tool["name"]).collect::<Vec<_>>())
    })
}

/// The arguments of the request that a tool sends.
pub(crate) fn request<'m>(map: &'m Value, name: &str) -> &'m Value {
    let step = &tool(map, name)["workflow"]["steps"][0];
    assert_eq!(step["primitive"], "http.request", "{step}");
    &step["args"]
}

/// The codes of findings, each once.
pub(crate) fn codes(findings: &[Finding]) -> Vec<&'static str> {
    let mut codes: Vec<&str> = findings.iter().map(|finding| finding.rule.code).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// Makes sure that a map is valid by the strict rules, and returns an engine of it.
pub(crate) fn engine(map: &Value) -> Engine {
    let text = map.to_string();
    let validation = validate("imported.json", text.as_bytes(), &Options::default());
    let findings: Vec<String> = validation
        .findings
        .iter()
        .map(|finding| format!("{} {} {}", finding.rule.code, finding.pointer, finding.message))
        .collect();
    Engine::new(validation.manifest.unwrap_or_else(|| panic!("{findings:#?}")))
}

/// A program around the engine that sends requests.
#[derive(Debug)]
struct Sending(DirectCaller);

impl Host for Sending {
    fn http(&self) -> Option<&dyn HttpCaller> {
        Some(&self.0)
    }
}

/// A session without a page, with these credentials.
pub(crate) fn session(engine: &Engine, credentials: &Arc<Credentials>) -> Session {
    engine.without_page().with_host(host(credentials))
}

/// What sends requests with these credentials.
pub(crate) fn host(credentials: &Arc<Credentials>) -> Arc<dyn Host> {
    let client = Client::new(Identity::default()).unwrap();
    Arc::new(Sending(DirectCaller::new(client, Arc::clone(credentials))))
}

/// Calls a tool.
pub(crate) async fn call(session: &Session, tool: &str, arguments: Value) -> Result<Value, CallError> {
    session.call(tool).arguments(arguments).run().await.result
}
