//! A site on this machine that publishes documents, and a client for it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use actions_engine::browser::TestClock;
use actions_interop::a2wf::{ObtainOptions, SitePolicy, obtain};
use actions_interop::fetch::{Bounds, Client};
use actions_interop::identity::Identity;
use actions_testserver::TestServer;
use serde_json::{Value, json};

/// The folder of fixtures.
pub(crate) fn fixtures() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/a2wf"))
}

/// A valid policy of the fixtures, for the site at an origin.
pub(crate) fn fixture(name: &str, origin: &str) -> String {
    let path = fixtures().join("valid").join(format!("{name}.json"));
    std::fs::read_to_string(path).expect("a fixture").replace("https://SITE", origin)
}

/// The smallest policy of a site, with these members.
pub(crate) fn policy(origin: &str, more: Value) -> Value {
    let mut policy = json!({
        "specVersion": "1.0",
        "identity": { "domain": origin, "name": "Site", "inLanguage": "en" },
        "permissions": {},
        "metadata": { "lastUpdated": "2026-05-01" },
    });
    let (Some(members), Value::Object(more)) = (policy.as_object_mut(), more) else { return policy };
    members.extend(more);
    policy
}

/// The bounds of tests: generous for a busy machine, short enough to wait for.
pub(crate) fn bounds() -> Bounds {
    Bounds { time: Duration::from_secs(2), ..Bounds::default() }
}

pub(crate) fn client() -> Client {
    Client::new(Identity::default()).expect("a client").bounded(bounds())
}

/// A client whose memory follows a clock.
pub(crate) fn client_on(clock: &TestClock) -> Client {
    Client::on_clock(Identity::default(), Arc::new(clock.clone())).expect("a client").bounded(bounds())
}

pub(crate) async fn server() -> TestServer {
    TestServer::start().await.expect("a server")
}

/// The policy of the site of a server.
pub(crate) async fn found(server: &TestServer) -> SitePolicy {
    Box::pin(obtain(&client(), &server.origin(), ObtainOptions::default())).await
}

/// The paths that were requested, in order, each once.
pub(crate) fn asked(server: &TestServer) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for served in server.served() {
        if !paths.contains(&served.request.path) {
            paths.push(served.request.path);
        }
    }
    paths
}
