//! `actions record` and `--replay`: a recorded call returns the same value without a server.

use std::path::{Path, PathBuf};
use std::process::Output;

use actions_testserver::{LocalSite, Request, Response, TestServer};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{actions, root, seen, stderr, stdout};

/// A call of `sites/**/recordings/calls.json`.
#[derive(Deserialize)]
struct Call {
    har: String,
    tool: String,
    path: String,
    input: Value,
}

fn value(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", seen(output));
    serde_json::from_str(&stdout(output)).expect("JSON")
}

/// Records a call live, replays it after the server has stopped, and replays the recording beside the map.
fn go_round(folder: &str) {
    let (host, surface) = folder.split_once('/').unwrap_or((folder, ""));
    let folder = root().join("sites").join(folder);
    let list = std::fs::read_to_string(folder.join("recordings/calls.json")).expect("calls");
    let calls: Vec<Call> = serde_json::from_str(&list).expect("calls");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    for call in calls {
        let site = runtime.block_on(LocalSite::serve(&root(), host)).expect("a site");
        let (origin, here, url) =
            (site.origin().to_owned(), site.server().origin(), site.server().url(&call.path));
        let (map, input) = (site.map(surface).display().to_string(), call.input.to_string());
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let har = scratch.path().join(&call.har).display().to_string();
        let live = value(&actions(&[
            "record",
            &map,
            &call.tool,
            "--har",
            &har,
            "--no-lock",
            "--url",
            &url,
            "--input",
            &input,
        ]));
        site.server().stop();

        let again = actions(&["run", &map, &call.tool, "--replay", &har, "--url", &url, "--input", &input]);
        assert_eq!(value(&again), live, "{}", call.tool);
        assert!(!stderr(&again).contains("warning: "), "{}", seen(&again));

        let kept = folder.join("recordings").join(&call.har).display().to_string();
        let (map, url) =
            (folder.join("actions.json").display().to_string(), format!("{origin}{}", call.path));
        let kept = actions(&["run", &map, &call.tool, "--replay", &kept, "--url", &url, "--input", &input]);
        assert_eq!(with_origin(&value(&kept), &origin, &here), live, "{}", call.tool);
        assert!(!stderr(&kept).contains("warning: "), "{}", seen(&kept));
    }
}

fn with_origin(value: &Value, origin: &str, here: &str) -> Value {
    serde_json::from_str(&value.to_string().replace(origin, here)).expect("JSON")
}

macro_rules! sites {
    ($($name:ident $folder:literal;)+) => {
        $(#[test]
        fn $name() {
            go_round($folder);
        })+

        #[test]
        fn every_map_with_recordings_is_in_this_list() {
            let mut listed = vec![$($folder.to_owned()),+];
            let mut found = Vec::new();
            recorded(&root().join("sites"), &mut found);
            listed.sort();
            found.sort();
            assert_eq!(found, listed);
        }
    };
}

sites! {
    the_library_is_recorded_and_replayed "example.com";
    the_pottery_is_recorded_and_replayed "shop.example/storefront";
    the_board_is_recorded_and_replayed "board.example/board";
    the_mailbox_is_recorded_and_replayed "mail.example/inbox";
    the_handbook_is_recorded_and_replayed "docs.example/handbook";
    the_glossary_is_recorded_and_replayed "docs.example/glossary";
    the_application_is_recorded_and_replayed "forms.example/plot-application";
}

/// Finds the folders of maps that have recordings.
fn recorded(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path: PathBuf = entry.path();
        if path.join("recordings/calls.json").is_file() {
            let sites = root().join("sites");
            found.push(path.strip_prefix(sites).expect("below").display().to_string());
        } else if path.is_dir() {
            recorded(&path, found);
        }
    }
}

/// A map with one tool that signs in on a local server.
const SIGN_IN: &str = include_str!("../fixtures/network/sign-in.json");

#[test]
fn a_recording_masks_secrets_and_still_replays() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let server = runtime.block_on(TestServer::start()).expect("a server");
    server.page("/", include_str!("../fixtures/network/sign-in.html"));
    server.route("/session", |request| {
        let echoed = String::from_utf8_lossy(&request.body).contains("hunter+22%21");
        Response::html(format!("<p id=greeting>{}</p>", if echoed { "Welcome" } else { "Who?" }))
            .with_header("set-cookie", "session=1; Path=/")
    });
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let map = scratch.path().join("actions.json");
    std::fs::write(&map, SIGN_IN.replace("https://signin.example", &server.origin())).expect("a map");
    let (map, har) = (map.display().to_string(), scratch.path().join("a.har").display().to_string());
    let input = json!({ "name": "ada", "password": "hunter 22!" }).to_string();
    let live = value(&actions(&["record", &map, "session.begin", "--har", &har, "--input", &input]));
    assert_eq!(live, "Welcome");
    let text = std::fs::read_to_string(&har).expect("a recording");
    assert!(text.contains("ada") && !text.contains("hunter"), "{text}");
    drop((server, runtime));
    let replayed = actions(&["run", &map, "session.begin", "--replay", &har, "--input", &input]);
    assert_eq!(value(&replayed), live);
    // A different name makes a different request.
    let input = json!({ "name": "eve", "password": "hunter 22!" }).to_string();
    let missed = actions(&["run", &map, "session.begin", "--replay", &har, "--input", &input]);
    assert_eq!(missed.status.code(), Some(6), "{}", seen(&missed));
    assert!(stderr(&missed).contains("error[replay_miss]"), "{}", seen(&missed));
    assert!(stderr(&missed).contains("which differs in the body"), "{}", seen(&missed));
}

/// The value of the session cookie of a request.
fn session_of(request: &Request) -> Option<&str> {
    request.header("cookie")?.split("; ").find_map(|cookie| cookie.strip_prefix("sessionid="))
}

#[test]
fn a_recording_of_a_login_opens_no_session_and_still_replays() {
    const SESSION: &str = "k3jf8sdf9w8efh2kjh3";
    const CSRF: &str = "Zq8-csrf-55aa77";
    const TOKEN: &str = "t0k3n.for.the.api.1234";
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let server = runtime.block_on(TestServer::start()).expect("a server");
    server.route("/", |request| match session_of(request) {
        // The page takes its token from one response and sends it with the next request.
        Some(SESSION) => Response::html(
            "<h1>Private</h1><p id=greeting></p><script>(async () => {
               const { access_token } = await (await fetch('/token')).json();
               document.cookie = 'api=' + access_token;
               const headers = { authorization: 'Bearer ' + access_token };
               const answer = await fetch('/me?t=' + encodeURIComponent(access_token), { headers });
               greeting.textContent = await answer.text();
             })()</script>",
        ),
        _ => Response::html(format!(
            "<form id=sign-in method=post action=/session><input type=hidden name=csrfmiddlewaretoken value={CSRF}>
             <input name=name><input name=password type=password><button>Sign in</button></form>"
        ))
        .with_header("set-cookie", format!("csrftoken={CSRF}; Path=/")),
    });
    server.route("/session", |request| {
        let body = String::from_utf8_lossy(&request.body).into_owned();
        match body == format!("csrfmiddlewaretoken={CSRF}&name=ada&password=tulip") {
            true => Response::status(302)
                .with_header("location", "/")
                .with_header("set-cookie", format!("sessionid={SESSION}; Path=/; HttpOnly")),
            false => Response::status(403),
        }
    });
    server.route("/token", |_| Response::json(format!("{{\"access_token\": \"{TOKEN}\"}}")));
    server.route("/me", |request| {
        let is_signed_in = request.header("authorization") == Some(&format!("Bearer {TOKEN}"));
        Response::html(if is_signed_in { "Welcome, Ada" } else { "Who?" })
    });
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let map = scratch.path().join("actions.json");
    // The map does not say that the password is one.
    let text = SIGN_IN.replace("https://signin.example", &server.origin());
    let text =
        text.replace("\"format\": \"password\",", "").replace("\"writeOnly\": true", "\"minLength\": 1");
    let text = text.replace("\"#greeting\"", "\"#greeting:not(:empty)\"");
    std::fs::write(&map, text).expect("a map");
    let (map, har) = (map.display().to_string(), scratch.path().join("a.har").display().to_string());
    let input = json!({ "name": "ada", "password": "tulip" }).to_string();
    let live = value(&actions(&["record", &map, "session.begin", "--har", &har, "--input", &input]));
    assert_eq!(live, "Welcome, Ada");
    let recorded = std::fs::read_to_string(&har).expect("a recording");
    for secret in [SESSION, CSRF, TOKEN, "tulip"] {
        assert!(!recorded.contains(secret), "{secret} in {recorded}");
    }
    assert!(recorded.contains("sessionid=actions-secret-"), "{recorded}");
    drop((server, runtime));
    for password in ["tulip", "another"] {
        let input = json!({ "name": "ada", "password": password }).to_string();
        let replayed = actions(&["run", &map, "session.begin", "--replay", &har, "--input", &input]);
        assert_eq!(value(&replayed), live);
        assert!(!stderr(&replayed).contains("warning: "), "{}", seen(&replayed));
    }
}

#[test]
fn derived_and_short_secrets_are_masked_in_recordings_and_messages() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let server = runtime.block_on(TestServer::start()).expect("a server");
    server.page("/", "<h1>Door</h1>");
    server.page("/open", "<h1>Open</h1><script>fetch('/seen' + location.search).catch(() => {}).then(() => document.body.append(Object.assign(document.createElement('p'), { id: 'done' })))</script>");
    server.page("/seen", "");
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let map = scratch.path().join("actions.json");
    let address =
        format!("{{% '{}/open?word=' & $uppercase(input.word) & '&pin=' & input.pin %}}", server.origin());
    let text = json!({
        "protocol": "actions.json", "version": 1, "surface": { "origin": server.origin(), "url": server.url("/") },
        "tools": [{ "name": "door.open", "description": "Opens the door.",
            "input_schema": { "type": "object", "additionalProperties": false, "required": ["word", "pin"], "properties": {
                "word": { "type": "string", "format": "password" }, "pin": { "type": "string", "x_secret": true },
            } },
            "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
                { "id": "go", "primitive": "browser.navigate", "args": { "url": address } },
                { "id": "done", "primitive": "locator.wait_for", "args": { "locator": { "selector": "#done" }, "state": "attached" } },
                { "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "h1" } } },
            ], "output": "{% steps.read.output.text %}" } }],
    });
    std::fs::write(&map, text.to_string()).expect("a map");
    let (map, har) = (map.display().to_string(), scratch.path().join("a.har").display().to_string());
    let input = json!({ "word": "sesame", "pin": "42" }).to_string();
    let live = value(&actions(&["record", &map, "door.open", "--har", &har, "--input", &input]));
    let hides = |text: &str| !["sesame", "SESAME", "pin=42"].iter().any(|secret| text.contains(secret));
    let recorded = std::fs::read_to_string(&har).expect("a recording");
    assert!(recorded.contains("word=[secret]&pin=[secret]") && hides(&recorded), "{recorded}");
    let replayed = actions(&["run", &map, "door.open", "--replay", &har, "--input", &input]);
    assert_eq!(value(&replayed), live);
    assert!(!stderr(&replayed).contains("warning: "), "{}", seen(&replayed));

    // The warning about a missing request masks the secrets in its address.
    let mut less: Value = serde_json::from_str(&recorded).expect("JSON");
    let entries = less["log"]["entries"].as_array_mut().expect("entries");
    entries.retain(|entry| !entry["request"]["url"].as_str().is_some_and(|url| url.contains("/seen")));
    std::fs::write(&har, less.to_string()).expect("a recording");
    let missed = actions(&["run", &map, "door.open", "--replay", &har, "--input", &input]);
    let printed = stderr(&missed);
    assert!(printed.contains("/seen?word=[secret]&pin=[secret]") && hides(&printed), "{printed}");
}

#[test]
fn compressed_responses_are_recorded_decoded_and_replay() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let server = runtime.block_on(TestServer::start()).expect("a server");
    let packed = |kind: &'static str, body: &'static [u8]| {
        move |_: &_| Response::status(200).with_body(kind, body).with_header("content-encoding", "gzip")
    };
    let (page, script) = (
        include_bytes!("../fixtures/network/packed.html.gz").as_slice(),
        include_bytes!("../fixtures/network/packed.js.gz").as_slice(),
    );
    server.route("/", packed("text/html; charset=utf-8", page));
    server.route("/say.js", packed("text/javascript; charset=utf-8", script));
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let map = scratch.path().join("actions.json");
    let text = json!({
        "protocol": "actions.json", "version": 1, "surface": { "origin": server.origin(), "url": server.url("/") },
        "tools": [{ "name": "said.read", "description": "Reads what the script has said.",
            "input_schema": { "type": "object", "additionalProperties": false },
            "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
                { "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "#said" } } },
            ], "output": "{% steps.read.output.text %}" } }],
    });
    std::fs::write(&map, text.to_string()).expect("a map");
    let (map, har) = (map.display().to_string(), scratch.path().join("a.har").display().to_string());
    let live = value(&actions(&["record", &map, "said.read", "--har", &har]));
    assert_eq!(live, "packed and unpacked: ä");
    let recorded = std::fs::read_to_string(&har).expect("a recording");
    assert!(recorded.contains("packed and unpacked: ä"), "decoded: {recorded}");
    drop((server, runtime));
    assert_eq!(value(&actions(&["run", &map, "said.read", "--replay", &har])), live);
}

#[test]
fn a_page_can_be_recorded_without_a_tool() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let site = runtime.block_on(LocalSite::serve(&root(), "example.com")).expect("a site");
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let (path, har) =
        (site.map("").display().to_string(), scratch.path().join("a.har").display().to_string());
    let output = actions(&["record", &path, "--har", &har]);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    assert_eq!(stdout(&output), "");
    let text = std::fs::read_to_string(&har).expect("a recording");
    assert!(text.contains("/assets/style.css"));
    assert_eq!(std::fs::read_dir(scratch.path()).expect("a folder").count(), 1, "no draft is left");
}

#[test]
fn an_invalid_recording_is_reported_with_its_position_before_a_browser_starts() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let har = scratch.path().join("a.har");
    std::fs::write(&har, r#"{"log": {"entries": [{"request": {"method": "GET"}}]}}"#).expect("a file");
    let har = har.display().to_string();
    let output = actions(&[
        "run",
        "sites/example.com/actions.json",
        "search.submit",
        "--arg",
        "query=maps",
        "--replay",
        &har,
    ]);
    assert_eq!(output.status.code(), Some(3), "{}", seen(&output));
    let printed = stderr(&output).replace(&har, "a.har");
    insta::assert_snapshot!(printed, @r#"
    error[invalid_input]: a.har:1:50: log.entries[0].request: missing field `url`
     │
     ├ help: a recording is HAR 1.2: {"log": {"entries": [{"request": …, "response": …}]}}; `actions record` creates one
     ╰ code: see `actions explain invalid_input`
    "#);
}

#[test]
fn an_unwritable_output_file_is_reported_before_anything_runs() {
    let map = root().join("sites/example.com/actions.json").display().to_string();
    let output = actions(&["record", &map, "--har", "no/such/folder/a.har"]);
    assert_eq!(output.status.code(), Some(2), "{}", seen(&output));
    insta::assert_snapshot!(stderr(&output), @r"
    error[wrong_usage]: no/such/folder/a.har: No such file or directory (os error 2)
     │
     ├ help: nothing was run; `--har` needs a file in a writable folder
     ╰ code: see `actions explain wrong_usage`
    ");
}

#[test]
fn record_does_not_accept_replay() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let har = scratch.path().join("a.har").display().to_string();
    let (map, other) = ("sites/example.com/actions.json", "sites/example.com/recordings/search.har");
    for tool in [&["search.submit", "--arg", "query=maps"][..], &[]] {
        let output = actions(&[&["record", map, "--har", &har, "--replay", other], tool].concat());
        assert_eq!(output.status.code(), Some(2), "{}", seen(&output));
        assert!(stderr(&output).contains("unexpected argument '--replay'"), "{}", seen(&output));
    }
}

#[test]
fn call_options_without_a_tool_are_wrong_usage() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let har = scratch.path().join("a.har").display().to_string();
    for more in [["--arg", "query=maps"], ["--input", "{}"], ["--trace", "runs/today"]] {
        let output =
            actions(&[&["record", "sites/example.com/actions.json", "--har", &har], &more[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{}", seen(&output));
        assert!(stderr(&output).contains("needs a tool"), "{}", seen(&output));
    }
}

#[test]
fn a_recorded_call_can_be_verbose_and_traced() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let site = runtime.block_on(LocalSite::serve(&root(), "example.com")).expect("a site");
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let path = |name: &str| scratch.path().join(name).display().to_string();
    let (map, har, trace) = (site.map("").display().to_string(), path("a.har"), path("trace"));
    let call = ["record", &map, "search.submit", "--arg", "query=maps"];
    let output = actions(&[&call[..], &["--har", &har, "--trace", &trace, "-v"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    assert!(stderr(&output).contains("✓"), "{}", seen(&output));
    assert!(scratch.path().join("trace/events.ndjson").is_file());
}
