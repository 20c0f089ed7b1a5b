//! Tests of `actions import`, `actions auth`, and of `actions run` and `actions list` at the address of a site.

use std::path::Path;
use std::process::{Command, Output};

use actions_testserver::{Request, Response, TestServer};
use serde_json::{Value, json};

use super::{actions, root, seen, stderr, stdout};

const FLIGHTS: &str = "fixtures/interop/awp/flights.json";
const TOKEN: &str = "a-token-of-the-traveller";

/// A site with an `agent.json`, and a folder for what commands keep.
struct Site {
    server: TestServer,
    folder: tempfile::TempDir,
    runtime: tokio::runtime::Runtime,
}

impl Site {
    fn start() -> Self {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let server = runtime.block_on(TestServer::start()).expect("a port is free");
        let mut document: Value =
            serde_json::from_slice(&std::fs::read(root().join(FLIGHTS)).expect("a fixture")).expect("JSON");
        document["domain"] = json!(server.origin());
        let text = document.to_string();
        server.route("/agent.json", move |_| Response::json(text.clone()));
        server.route("/api/flights/search", |_| {
            Response::json(r#"{ "flights": [{ "flight_number": "KA1" }], "search_token": "s-1" }"#)
        });
        server.route("/api/flights/book", |request: &Request| {
            match request.header("authorization") == Some(&format!("Bearer {TOKEN}")) {
                true => Response::json(r#"{ "booking_id": "B1" }"#),
                false => Response::status(401),
            }
        });
        Self { server, folder: tempfile::tempdir().expect("a scratch folder"), runtime }
    }

    /// Runs a command with a file of credentials of its own, without a browser.
    fn actions(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_actions"))
            .args(arguments)
            .current_dir(root())
            .env("NO_COLOR", "1")
            .env("ACTIONS_CREDENTIALS", self.path("credentials.json"))
            .env("ACTIONS_BROWSER", "/nonexistent/browser")
            .env("FLIGHTS_TOKEN", TOKEN)
            .output()
            .expect("the command starts")
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn store_token(&self) {
        let origin = self.server.origin();
        let stored = self.actions(&[
            "auth",
            "set",
            &origin,
            "--system",
            "awp",
            "--scheme",
            "bearer",
            "--from-env",
            "FLIGHTS_TOKEN",
        ]);
        assert_eq!(stored.status.code(), Some(0), "{}", seen(&stored));
    }
}

const BOOK: [&str; 4] = ["--arg", "flight_number=KA1", "--arg", "search_token=s-1"];

#[test]
fn a_document_becomes_a_map_that_is_valid() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let map = folder.path().join("flights.json").display().to_string();
    let imported = actions(&["import", FLIGHTS, "-o", &map]);
    assert_eq!(imported.status.code(), Some(0), "{}", seen(&imported));
    assert_eq!(stdout(&imported), "");
    assert!(stderr(&imported).contains("left out: pay_now"), "{}", seen(&imported));
    let validated = actions(&["validate", &map]);
    assert_eq!(validated.status.code(), Some(0), "{}", seen(&validated));
    let printed: Value = serde_json::from_str(&stdout(&actions(&["import", FLIGHTS]))).expect("JSON");
    assert_eq!(
        printed,
        serde_json::from_str::<Value>(&std::fs::read_to_string(&map).expect("a map")).expect("JSON")
    );
}

#[test]
fn what_published_documents_get_wrong_is_told_to_people() {
    insta::assert_snapshot!(seen(&actions(&[
        "import",
        "fixtures/interop/awas/published/links_and_phones.json"
    ])));
    let strict = actions(&["import", "fixtures/interop/awas/published/links_and_phones.json", "--strict"]);
    assert_eq!((strict.status.code(), stdout(&strict).as_str()), (Some(3), ""), "{}", seen(&strict));
}

#[test]
fn a_link_is_not_written_through() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let (file, link) = (folder.path().join("kept"), folder.path().join("link"));
    std::fs::write(&file, "kept").expect("a file");
    std::os::unix::fs::symlink(&file, &link).expect("a link");
    let refused = actions(&["import", FLIGHTS, "-o", &link.display().to_string()]);
    assert_eq!(refused.status.code(), Some(2), "{}", seen(&refused));
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), "kept");
}

#[test]
fn documents_of_other_systems_are_validated_and_their_rules_explained() {
    let document = "fixtures/interop/awp/published/two_errors.json";
    let validated = actions(&["validate", "--as", "awp", document]);
    assert_eq!(validated.status.code(), Some(3), "{}", seen(&validated));
    let told = seen(&validated);
    assert!(told.contains("AWP005") && told.contains("AWP006"), "{told}");
    assert!(stdout(&actions(&["explain", "AWP005"])).contains("id of its own"));
    assert!(stdout(&actions(&["explain", "AWAS009"])).contains("Lenient readers"));
}

#[test]
fn a_tool_of_a_site_is_called_without_a_file_and_without_a_browser() {
    let site = Site::start();
    let origin = site.server.origin();
    let arguments = [
        "run",
        &origin,
        "search_flights",
        "--arg",
        "origin=VIE",
        "--arg",
        "destination=OSL",
        "--arg",
        "date=2026-12-01",
    ];
    let found = site.actions(&arguments);
    assert_eq!(found.status.code(), Some(0), "{}", seen(&found));
    let value: Value = serde_json::from_str(&stdout(&found)).expect("JSON");
    assert_eq!(value["search_token"], "s-1");
    let listed = stdout(&site.actions(&["list", &origin]));
    assert!(listed.contains("a_127_0_0_1.book_flight"), "{listed}");
    drop(site.runtime);
}

#[test]
fn a_booking_needs_what_it_depends_on_a_yes_to_itself_and_credentials() {
    let site = Site::start();
    let origin = site.server.origin();
    let book = |more: &[&str]| {
        let arguments: Vec<&str> =
            ["run", &origin, "book_flight"].into_iter().chain(BOOK).chain(more.iter().copied()).collect();
        site.actions(&arguments)
    };
    let says = |output: &Output, code: &str| {
        assert!(stderr(output).contains(code), "not {code}: {}", seen(output));
        assert_eq!(stdout(output), "");
    };
    says(&book(&[]), "dependency_unmet");
    let searched = ["--satisfied", "search_flights"];
    says(&book(&searched), "confirmation_required");
    says(&book(&[&searched[..], &["--yes"]].concat()), "confirmation_required");
    let agreed = [&searched[..], &["--confirm", "book_flight"]].concat();
    let refused = book(&agreed);
    says(&refused, "auth_required");
    assert!(stderr(&refused).contains("actions auth set"), "{}", seen(&refused));
    assert!(site.server.served().iter().all(|served| served.request.path != "/api/flights/book"));
    site.store_token();
    let trace = site.path("trace");
    let booked = book(&[&agreed[..], &["--trace", &trace, "-v"]].concat());
    assert_eq!(booked.status.code(), Some(0), "{}", seen(&booked));
    assert_eq!(stdout(&booked).trim(), r#"{"booking_id":"B1"}"#);
    assert!(!seen(&booked).contains(TOKEN));
    assert!(contains_no(Path::new(&trace), TOKEN), "the token is in the trace");
    drop(site.runtime);
}

#[test]
fn the_policy_of_a_site_forbids_a_request_that_its_own_document_offers() {
    let site = Site::start();
    site.store_token();
    let origin = site.server.origin();
    let policy = json!({
        "specVersion": "1.0",
        "identity": { "domain": origin, "name": "Kite Air", "inLanguage": "en" },
        "permissions": { "action": { "bookAppointment": { "allowed": false } } },
        "defaults": { "agentAccess": "open" },
    });
    let text = policy.to_string();
    site.server.route("/siteai.json", move |_| Response::json(text.clone()));
    let map = site.path("map.json");
    let imported = site.actions(&["import", &origin, "-o", &map]);
    assert_eq!(imported.status.code(), Some(0), "{}", seen(&imported));
    // The reviewer says which permission the tool needs.
    let mut changed: Value =
        serde_json::from_str(&std::fs::read_to_string(&map).expect("a map")).expect("JSON");
    for tool in changed["tools"].as_array_mut().expect("tools") {
        if tool["name"] == "a_127_0_0_1.book_flight" {
            tool["x_actions"]["policy"] = json!(["action.bookAppointment"]);
        }
    }
    std::fs::write(&map, changed.to_string()).expect("a map");
    let tool = "a_127_0_0_1.book_flight";
    let agreed =
        ["--satisfied", "a_127_0_0_1.search_flights", "--confirm", tool, "--site-policy", "everywhere"];
    let arguments: Vec<&str> = ["run", &map, tool].into_iter().chain(BOOK).chain(agreed).collect();
    let denied = site.actions(&arguments);
    assert_eq!(denied.status.code(), Some(5), "{}", seen(&denied));
    assert!(stderr(&denied).contains("policy_denied"), "{}", seen(&denied));
    assert!(site.server.served().iter().all(|served| served.request.path != "/api/flights/book"));
    drop(site.runtime);
}

/// Whether no file of a folder contains a text.
fn contains_no(folder: &Path, text: &str) -> bool {
    let entries: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.iter().all(|path| match path.is_dir() {
        true => contains_no(path, text),
        false => !String::from_utf8_lossy(&std::fs::read(path).expect("a file")).contains(text),
    })
}

#[test]
fn credentials_are_stored_listed_without_the_secret_and_removed() {
    use std::os::unix::fs::PermissionsExt;
    let site = Site::start();
    let origin = site.server.origin();
    site.store_token();
    let file = site.path("credentials.json");
    assert_eq!(std::fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o600);
    let listed = site.actions(&["auth", "list", "--format", "json"]);
    assert_eq!(
        serde_json::from_str::<Value>(&stdout(&listed)).expect("JSON"),
        json!([{ "origin": origin, "system": "awp", "scheme": "bearer" }])
    );
    assert!(!seen(&listed).contains(TOKEN) && !seen(&site.actions(&["auth", "list"])).contains(TOKEN));
    assert_eq!(site.actions(&["auth", "rm", &origin, "--system", "awas"]).status.code(), Some(2));
    assert_eq!(site.actions(&["auth", "rm", &origin]).status.code(), Some(0));
    assert_eq!(stdout(&site.actions(&["auth", "list", "--format", "json"])).trim(), "[]");
    drop(site.runtime);
}

#[test]
fn a_site_without_documents_is_an_error_that_says_where_to_look() {
    let site = Site::start();
    site.server.route("/agent.json", |_| Response::status(404));
    let run = site.actions(&["run", &site.server.origin(), "search_flights"]);
    assert_eq!(run.status.code(), Some(2), "{}", seen(&run));
    assert!(stderr(&run).contains("actions discover"), "{}", seen(&run));
    drop(site.runtime);
}

#[test]
fn a_recording_answers_requests_too_and_nothing_leaves_the_machine() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let imported = actions(&["import", FLIGHTS, "-o", &path("flights.json")]);
    assert_eq!(imported.status.code(), Some(0), "{}", seen(&imported));
    let answer = json!({ "status": "released" }).to_string();
    let har = json!({ "log": { "version": "1.2", "creator": { "name": "test", "version": "1" }, "entries": [{
        "startedDateTime": "2026-01-01T00:00:00Z", "time": 1,
        "request": { "method": "DELETE", "url": "https://kite-air.example/api/holds/h1", "headers": [], "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0, "httpVersion": "HTTP/1.1" },
        "response": {
            "status": 200, "statusText": "OK", "headers": [], "cookies": [], "redirectURL": "", "headersSize": -1, "bodySize": 0, "httpVersion": "HTTP/1.1",
            "content": { "size": answer.len(), "mimeType": "application/json", "text": answer },
        },
        "cache": {}, "timings": { "send": 0, "wait": 0, "receive": 0 },
    }] } });
    std::fs::write(path("holds.har"), har.to_string()).expect("a recording");
    let run = |hold: &str| {
        let tool = "kite-air_example.cancel_hold";
        actions(&[
            "run",
            &path("flights.json"),
            tool,
            "--arg",
            &format!("hold={hold}"),
            "--yes",
            "--replay",
            &path("holds.har"),
        ])
    };
    let released = run("h1");
    assert_eq!(stdout(&released).trim(), r#"{"status":"released"}"#, "{}", seen(&released));
    let missed = run("h2");
    assert!(stderr(&missed).contains("replay_miss"), "{}", seen(&missed));
}
