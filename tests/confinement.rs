//! Confinement: calls whose page would leave the origins of its map.

use actions_testserver::{Response, TestServer};

use super::{actions, seen, stderr, stdout};

/// A map whose tools lead to another server, and the two servers.
struct Leaving {
    _runtime: tokio::runtime::Runtime,
    _folder: tempfile::TempDir,
    map: String,
    evil: TestServer,
    _site: TestServer,
}

impl Leaving {
    fn new() -> Self {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let site = runtime.block_on(TestServer::start()).expect("a server");
        let evil = runtime.block_on(TestServer::start()).expect("a server");
        let out = evil.url_on("evil.localhost", "");
        site.page("/", include_str!("../fixtures/network/leaves.html").replace("EVIL", &out));
        site.route("/hop", move |_| Response::redirect(format!("{out}/redirected")));
        let folder = tempfile::tempdir().expect("a scratch folder");
        let map = folder.path().join("actions.json");
        let text =
            include_str!("../fixtures/network/leaves.json").replace("https://leaves.example", &site.origin());
        std::fs::write(&map, text).expect("a map");
        Self { _runtime: runtime, map: map.display().to_string(), _folder: folder, evil, _site: site }
    }
}

#[test]
fn a_call_that_would_leave_the_surface_fails_and_sends_no_request() {
    let leaving = Leaving::new();
    for (tool, path, by) in [
        ("link.follow", "/link", None),
        ("page.open", "/popup", None),
        ("redirect.follow", "/redirected", Some("a redirect on the way from")),
    ] {
        let output = actions(&["run", &leaving.map, tool]);
        assert_eq!(output.status.code(), Some(5), "{tool}: {}", seen(&output));
        assert_eq!(stdout(&output), "");
        let printed = stderr(&output);
        assert!(printed.contains("unsafe_state"), "{tool}: {printed}");
        assert!(printed.contains(&leaving.evil.url_on("evil.localhost", path)), "{tool}: {printed}");
        assert!(by.is_none_or(|by| printed.contains(by)), "{tool}: {printed}");
        assert!(
            printed.contains("address: ") && !printed.contains("page: "),
            "the page never navigated: {printed}"
        );
        assert!(printed.contains("--allow-origin"), "{tool}: {printed}");
        assert!(!printed.contains("hint: "), "only one piece of advice: {printed}");
    }
    assert_eq!(leaving.evil.served().len(), 0);
    let allowed = leaving.evil.url_on("evil.localhost", "");
    let output = actions(&["run", &leaving.map, "redirect.follow", "--allow-origin", &allowed]);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    assert_eq!(leaving.evil.served()[0].request.path, "/redirected");
}

/// A map whose page loads a script from another server.
fn page_in_company(site: &TestServer) -> serde_json::Value {
    serde_json::json!({
        "protocol": "actions.json", "version": 1,
        "surface": { "origin": site.origin(), "url": site.url("/") },
        "tools": [{
            "name": "said.read", "description": "Reads what the scripts have said.",
            "input_schema": { "type": "object", "additionalProperties": false },
            "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
                { "id": "said", "primitive": "locator.text_content", "args": { "locator": { "selector": "#said" } } },
            ], "output": "{% steps.said.output.text %}" },
        }],
    })
}

#[test]
fn confine_subresources_blocks_other_origins_live_and_in_replay() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let site = runtime.block_on(TestServer::start()).expect("a server");
    let other = runtime.block_on(TestServer::start()).expect("a server");
    let script = other.url_on("other.localhost", "/say.js");
    site.page("/", format!("<p id=said>alone</p><script src='{script}'></script>"));
    other.route("/say.js", |_| {
        Response::status(200).with_body("text/javascript", "said.textContent = 'in company'")
    });
    let folder = tempfile::tempdir().expect("a scratch folder");
    let map = folder.path().join("actions.json");
    std::fs::write(&map, page_in_company(&site).to_string()).expect("a map");
    let (map, har) = (map.display().to_string(), folder.path().join("a.har").display().to_string());
    let value = |arguments: &[&str]| {
        let output = actions(arguments);
        assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
        stdout(&output).trim().to_owned()
    };
    assert_eq!(value(&["record", &map, "said.read", "--har", &har]), "\"in company\"");
    assert_eq!(other.served().len(), 1);
    assert_eq!(value(&["run", &map, "said.read", "--confine-subresources"]), "\"alone\"");
    assert_eq!(other.served().len(), 1);
    let confined = ["run", &map, "said.read", "--replay", &har, "--confine-subresources"];
    assert_eq!(value(&confined), "\"alone\"");
}
