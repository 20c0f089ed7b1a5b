//! Tests of `actions discover`.

use actions_testserver::{Response, TestServer};
use serde_json::Value;

use super::{actions, seen, stderr, stdout};

/// A site on this machine, and the runtime that serves it.
pub(crate) struct Site {
    _runtime: tokio::runtime::Runtime,
    pub(crate) server: TestServer,
}

impl Site {
    pub(crate) fn start() -> Self {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let server = runtime.block_on(TestServer::start()).expect("a server");
        Self { _runtime: runtime, server }
    }

    /// Publishes a policy of the fixtures.
    pub(crate) fn policy(&self, name: &str) {
        let path = super::root().join("fixtures/a2wf/valid").join(format!("{name}.json"));
        let text =
            std::fs::read_to_string(path).expect("a fixture").replace("https://SITE", &self.server.origin());
        self.server.route("/siteai.json", move |_| Response::json(text.clone()));
    }

    pub(crate) fn origin(&self) -> String {
        self.server.origin()
    }
}

#[test]
fn a_table_says_what_a_site_publishes() {
    let site = Site::start();
    site.policy("shop");
    site.server.route("/agent.json", |_| {
        Response::json(
            r#"{"awp_version":"0.2","domain":"shop","intent":"sell","actions":[{"id":"a"},{"id":"b"}]}"#,
        )
    });
    let output = actions(&["discover", &site.origin()]);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    let table = stdout(&output);
    let row =
        |system: &str| table.lines().find(|line| line.starts_with(system)).unwrap_or_default().to_owned();
    assert!(row("awp").contains("ok") && row("awp").contains("0.2") && row("awp").contains('2'), "{table}");
    assert!(row("a2wf").contains("ok"), "{table}");
    assert!(row("wab").contains("absent"), "{table}");
}

#[test]
fn the_result_as_json_has_artefacts_and_the_policy() {
    let site = Site::start();
    site.policy("restaurant");
    let output = actions(&["discover", &site.origin(), "--format", "json", "--system", "a2wf,awp"]);
    let found: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(found["url"], site.origin());
    let systems: Vec<&str> =
        found["artefacts"].as_array().unwrap().iter().map(|one| one["system"].as_str().unwrap()).collect();
    assert_eq!(systems, ["awp", "a2wf"]);
    assert_eq!(found["policy"]["state"], "valid");
}

#[test]
fn a_site_with_nothing_for_agents_is_a_failure_and_one_that_is_not_there_another() {
    let site = Site::start();
    let output = actions(&["discover", &site.origin()]);
    assert_eq!(output.status.code(), Some(1), "{}", seen(&output));
    assert!(stderr(&output).contains("publishes nothing for agents"), "{}", seen(&output));
    let gone = site.origin();
    drop(site);
    let output = actions(&["discover", &gone]);
    assert_eq!(output.status.code(), Some(6), "{}", seen(&output));
}

#[test]
fn what_is_no_site_is_wrong_usage() {
    let output = actions(&["discover", "ftp://example.com"]);
    assert_eq!(output.status.code(), Some(2), "{}", seen(&output));
    let output = actions(&["discover", "https://example.com", "--system", "soap"]);
    assert_eq!(output.status.code(), Some(2), "{}", seen(&output));
}
