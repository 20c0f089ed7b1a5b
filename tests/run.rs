//! Tests of `actions run`.

use std::path::PathBuf;
use std::process::{Command, Output};

use actions_testserver::{LocalSite, Response, TestServer};
use serde_json::Value;

use super::{actions, root, seen, stderr, stdout};

/// The example site on a local server.
struct Site {
    _runtime: tokio::runtime::Runtime,
    local: LocalSite,
}

impl Site {
    fn new() -> Self {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let local = runtime.block_on(LocalSite::serve(&root(), "example.com")).expect("a site");
        Self { _runtime: runtime, local }
    }

    fn map(&self) -> String {
        self.local.map("").display().to_string()
    }

    /// Runs a tool on the page at `path`.
    fn run(&self, path: &str, tool: &str, more: &[&str]) -> Output {
        let (map, url) = (self.map(), self.local.server().url(path));
        let arguments = ["run", &map, tool, "--url", &url, "-q"];
        actions(&arguments.iter().copied().chain(more.iter().copied()).collect::<Vec<_>>())
    }
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&stdout(output)).unwrap_or_else(|error| panic!("{error}: {}", seen(output)))
}

#[test]
fn a_tool_prints_its_value_on_stdout() {
    let output = Site::new().run("/", "search.submit", &["--input", r#"{"query":"maps"}"#]);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    assert_eq!(json(&output)["total"], 17);
}

#[test]
fn pages_of_results_are_collected_one_after_the_other() {
    let output = Site::new().run("/search/?q=maps", "results.collect_all", &[]);
    let value = json(&output);
    assert_eq!(
        (value["pages_read"].as_u64(), value["results"].as_array().map(Vec::len)),
        (Some(3), Some(17))
    );
}

#[test]
fn a_change_is_proven_by_its_postcondition() {
    let output = Site::new().run("/", "cart.add", &["--arg", "item_id=night-trams", "--arg", "copies=2"]);
    assert_eq!(json(&output)["copies"], 2, "{}", seen(&output));
}

#[test]
fn a_widget_in_a_frame_is_used() {
    let output = Site::new().run("/item/?id=night-trams", "shipping.estimate", &["--arg", "region=islands"]);
    assert_eq!(json(&output)["region"], "islands", "{}", seen(&output));
}

#[test]
fn steps_in_the_draft_form_are_performed() {
    let output = Site::new().run("/", "newsletter.subscribe", &["--arg", "email=ada@mail.example"]);
    assert_eq!(json(&output)["ok"], true, "{}", seen(&output));
}

#[test]
fn item_prints_one_line_on_success_and_on_failure() {
    let site = Site::new();
    let done = json(&site.run("/", "site.guide", &["--item"]));
    assert_eq!(done["type"], "action_call_output");
    let failed = site.run("/", "item.read", &["--item"]);
    assert_eq!(failed.status.code(), Some(1), "{}", seen(&failed));
    let failed = json(&failed);
    assert_eq!(failed["type"], "action_error");
    assert_eq!(failed["error"]["code"], "state_mismatch");
    assert_eq!(failed["error"]["mutated"], false);
    let printed = stderr(&site.run("/", "item.read", &[]));
    assert!(printed.contains("help: each command opens a new page; pass the address of a page that the tool applies to with `--url`"), "{printed}");
}

#[test]
fn errors_before_a_browser_starts_print_an_item_too() {
    let map = "sites/example.com/actions.json";
    for (arguments, code, exit) in [
        (&["run", "no/such/map.json", "site.guide"][..], "manifest_not_found", 2),
        (&["run", "tests/run.rs", "site.guide"], "manifest_invalid", 3),
        (&["run", map, "site.guide", "--replay", "no/such.har"], "wrong_usage", 2),
        (&["run", map, "site.guide", "--replay", "tests/run.rs"], "invalid_input", 3),
        (&["run", map, "site.guide", "--trace", "tests"], "wrong_usage", 2),
        (&["run", map, "site.guide", "--headed", "--browser", "ws://127.0.0.1:1"], "wrong_usage", 2),
        (&["run", map, "site.guide", "--input", "@no/such.json"], "wrong_usage", 2),
        (&["run", map, "site.guide", "--arg", "x"], "invalid_input", 3),
        (&["state", "read", "no/such/map.json", "site.cart"], "manifest_not_found", 2),
        (&["state", "read", map, "site.cart", "--replay", "no/such.har"], "wrong_usage", 2),
        (&["state", "summary", map, "site.cart", "--arg", "x"], "invalid_input", 3),
        (&["state", "diff", map, "site.cart", "--baseline", "tests/run.rs"], "wrong_usage", 2),
    ] {
        let output = actions(&[arguments, &["--item"]].concat());
        assert_eq!(output.status.code(), Some(exit), "{arguments:?}: {}", seen(&output));
        let item = json(&output);
        assert_eq!((&item["type"], &item["error"]["code"]), (&"action_error".into(), &code.into()), "{item}");
    }
}

#[test]
fn invalid_input_is_reported_before_a_browser_starts() {
    let output = Site::new().run("/", "search.submit", &["--input", r#"{"qurey":"maps"}"#]);
    assert_eq!(output.status.code(), Some(3), "{}", seen(&output));
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).contains("'qurey' was unexpected"), "{}", seen(&output));
    assert!(!stderr(&output).contains("Chromium"), "no browser was started: {}", seen(&output));
}

#[test]
fn errors_before_the_page_opens_are_explained_in_full() {
    let map = "sites/example.com/actions.json";
    let printed = [
        &["run", "no/such/map.json", "site.guide"][..],
        &["run", map, "site.guide", "--replay", "no/such.har"],
        &["run", map, "site.guide", "--headed", "--browser", "ws://127.0.0.1:1"],
        &["run", map, "site.guide", "--trace", "tests"],
        &["run", map, "search.submit"],
        &["run", map, "search.submit", "--arg", "maps"],
        &["run", map, "search.submit", "--input", "[]"],
        &["run", map, "search.submit", "--arg", "query=maps", "--diff", "site.carts"],
    ];
    insta::assert_snapshot!(printed.map(|arguments| seen(&actions(arguments))).join("\n"));
}

#[test]
fn a_malformed_argument_is_not_echoed() {
    let map = "sites/mail.example/inbox/actions.json";
    let output =
        actions(&["run", map, "session.sign_in", "--arg", "address=ada", "--arg", "password:hunter22"]);
    assert_eq!(output.status.code(), Some(3), "{}", seen(&output));
    assert!(stderr(&output).contains("`--arg` number 2 is not NAME=VALUE"), "{}", seen(&output));
    assert!(!stderr(&output).contains("hunter22"), "{}", seen(&output));
}

#[test]
fn an_unknown_tool_is_wrong_usage_and_starts_no_browser() {
    let output = actions(&["run", "sites/example.com/actions.json", "search.sumbit"]);
    assert_eq!(output.status.code(), Some(2), "{}", seen(&output));
    assert!(stderr(&output).contains("did you mean `search.submit`?"), "{}", seen(&output));
}

#[test]
fn an_unreachable_page_exits_as_unavailable() {
    let site = Site::new();
    let map = site.map();
    let nowhere = "http://127.0.0.1:1/";
    let output = actions(&["run", &map, "page.text", "--url", nowhere, "--allow-origin", nowhere]);
    assert_eq!(output.status.code(), Some(6), "{}", seen(&output));
}

#[test]
fn a_page_outside_the_surface_is_refused_before_any_request() {
    let site = Site::new();
    let map = site.map();
    let output = actions(&["run", &map, "page.text", "--url", "http://127.0.0.1:1/"]);
    assert_eq!(output.status.code(), Some(5), "{}", seen(&output));
    assert!(
        stderr(&output).contains("the call would leave the surface for http://127.0.0.1:1/"),
        "{}",
        seen(&output)
    );
    assert!(stderr(&output).contains("--allow-origin"), "{}", seen(&output));
}

/// A site with one page, and a map with one tool for it.
struct Page {
    _runtime: tokio::runtime::Runtime,
    folder: tempfile::TempDir,
    server: TestServer,
}

impl Page {
    fn new(body: &str, tool: serde_json::Value) -> Self {
        Self::with_projections(body, tool, &[])
    }

    fn with_projections(body: &str, tool: serde_json::Value, projections: &[Value]) -> Self {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let server = runtime.block_on(TestServer::start()).expect("a server");
        server.page("/", body);
        let folder = tempfile::tempdir().expect("a scratch folder");
        let map = serde_json::json!({
            "protocol": "actions.json", "version": 1,
            "surface": { "origin": server.origin(), "name": "Page" },
            "tools": [tool], "state_projections": projections,
        });
        std::fs::write(folder.path().join("actions.json"), format!("{map:#}")).expect("a scratch map");
        std::fs::create_dir(folder.path().join("tmp")).expect("a folder for the browser");
        Self { _runtime: runtime, folder, server }
    }

    /// The command that runs the tool; the browser writes below the folder of the page.
    fn command(&self, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_actions"));
        let map = self.folder.path().join("actions.json");
        command
            .arg("run")
            .arg(map)
            .arg("t")
            .args(more)
            .env("NO_COLOR", "1")
            .env("TMPDIR", self.browser_folder());
        command
    }

    fn run(&self, more: &[&str]) -> Output {
        self.command(more).output().expect("the command starts")
    }

    fn browser_folder(&self) -> PathBuf {
        self.folder.path().join("tmp")
    }

    /// The command lines of all processes of the browser.
    fn processes(&self) -> Vec<String> {
        self.numbered_processes().into_iter().map(|(_, line)| line).collect()
    }

    fn numbered_processes(&self) -> Vec<(i32, String)> {
        let named = self.browser_folder().display().to_string();
        let entries = std::fs::read_dir("/proc").expect("processes are listed").flatten();
        let lines = entries.filter_map(|entry| {
            let number = entry.file_name().to_str()?.parse().ok()?;
            let line = std::fs::read(entry.path().join("cmdline")).ok()?;
            Some((number, String::from_utf8_lossy(&line).into_owned()))
        });
        lines.filter(|(_, line)| line.contains(&named)).collect()
    }

    /// The main process of the browser: all others have a `--type`.
    fn browser(&self) -> rustix::process::Pid {
        let found = self.numbered_processes().into_iter();
        let mut found =
            found.filter(|(_, line)| !line.contains("--type=") && line.contains("--user-data-dir="));
        let (number, _) = found.next().expect("the browser runs");
        rustix::process::Pid::from_raw(number).expect("a number of a process")
    }

    /// The number of files the browser has left on disk.
    fn left(&self) -> usize {
        std::fs::read_dir(self.browser_folder()).expect("the folder is there").count()
    }
}

/// Waits until a condition holds, for at most a minute.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let started = std::time::Instant::now();
    while !holds() {
        assert!(started.elapsed() < std::time::Duration::from_secs(60), "{what}");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

fn waiting_tool() -> Value {
    serde_json::json!({
        "name": "t", "description": "Waits.",
        "input_schema": { "type": "object", "additionalProperties": false },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
            { "id": "shown", "primitive": "locator.text_content", "args": { "locator": { "selector": "h1" } } },
            { "id": "forever", "primitive": "locator.wait_for", "args": { "locator": { "selector": "#late" }, "timeout_ms": 60000 } },
        ] },
    })
}

#[test]
fn an_interrupt_ends_the_call_and_leaves_no_browser() {
    let page = Page::new("<h1>Maps</h1>", waiting_tool());
    let trace = page.folder.path().join("trace");
    let child = page
        .command(&["--item", "--trace", &trace.display().to_string()])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the command starts");
    let events = trace.join("events.ndjson");
    until("the second step begins", || {
        std::fs::read_to_string(&events).is_ok_and(|text| text.contains("forever"))
    });
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("it runs");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{}", seen(&output));
    assert_eq!(json(&output)["error"]["code"], "cancelled");
    assert_eq!(json(&output)["error"]["step_id"], "forever");
    assert_eq!(page.processes(), Vec::<String>::new());
    assert_eq!(page.left(), 0);
}

#[test]
fn an_interrupt_during_launch_ends_the_browser() {
    use std::os::unix::fs::PermissionsExt;
    let page = Page::new("<h1>Maps</h1>", waiting_tool());
    let (program, number) = (page.folder.path().join("browser"), page.folder.path().join("number"));
    // This program never reports an endpoint.
    let text = format!("#!/bin/sh\necho $$ > {0}.new && mv {0}.new {0}\nexec sleep 600\n", number.display());
    std::fs::write(&program, text).expect("a program");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let child = page
        .command(&["--item", "--browser", &program.display().to_string()])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the command starts");
    until("the browser is started", || number.exists());
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("it runs");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(json(&output)["error"]["code"], "cancelled", "{}", seen(&output));
    let number = std::fs::read_to_string(&number).expect("its number");
    let process = std::path::Path::new("/proc").join(number.trim());
    until("the browser ends", || !process.exists());
}

#[test]
fn visible_actions_keep_the_pace() {
    let click = |id: &str| serde_json::json!({ "id": id, "primitive": "pointer.click", "args": { "locator": { "selector": "button" } } });
    let tool = serde_json::json!({
        "name": "t", "description": "Clicks twice.",
        "input_schema": { "type": "object", "additionalProperties": false },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": [click("one"), click("two")] },
    });
    let page = Page::new("<button>Go</button>", tool);
    let trace = page.folder.path().join("trace");
    let output = page.run(&["--pace", "2000", "--trace", &trace.display().to_string()]);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    let events = std::fs::read_to_string(trace.join("events.ndjson")).expect("events");
    let events = events.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let starts: Vec<u64> = events
        .filter(|event| event["event"] == "primitive_started")
        .map(|event| event["at_ms"].as_u64().expect("a moment"))
        .collect();
    // Less than the pace, because the first event may be late, but far more than two clicks take.
    assert!(starts.len() == 2 && starts[1] - starts[0] >= 1000, "{starts:?}");
}

#[test]
fn killing_the_command_leaves_no_browser() {
    let rounds =
        std::env::var("ACTIONS_COMMAND_KILLS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(3_u64);
    let page = Page::new("<h1>Maps</h1>", waiting_tool());
    let mut outlived = Vec::new();
    for round in 0..rounds {
        let mut child = page
            .command(&["-q"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("the command starts");
        // The first round usually kills before the browser starts. Later rounds kill at different moments, which are
        // the same in every run.
        if round > 0 {
            until("the browser starts", || {
                page.processes().iter().any(|line| line.contains("--user-data-dir="))
            });
            std::thread::sleep(std::time::Duration::from_millis(round.wrapping_mul(2_654_435_761) % 900));
        }
        child.kill().expect("it runs");
        let killed = std::time::Instant::now();
        child.wait().expect("it ends");
        until("the browser ends with the command", || page.processes().is_empty());
        outlived.push(killed.elapsed().as_millis());
    }
    // `cargo xtask soak` parses this line.
    println!("soak: command killed, outlived: {outlived:?}");
}

#[test]
fn a_killed_browser_reports_browser_lost_and_leaves_nothing_behind() {
    let rounds =
        std::env::var("ACTIONS_COMMAND_LOSSES").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1_u64);
    let page = Page::new("<h1>Maps</h1>", waiting_tool());
    let mut ended = Vec::new();
    for round in 0..rounds {
        let trace = page.folder.path().join(format!("trace{round}"));
        let child = page
            .command(&["--item", "--trace", &trace.display().to_string()])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the command starts");
        let events = trace.join("events.ndjson");
        until("the second step begins", || {
            std::fs::read_to_string(&events).is_ok_and(|text| text.contains("forever"))
        });
        rustix::process::kill_process(page.browser(), rustix::process::Signal::KILL).expect("it runs");
        let killed = std::time::Instant::now();
        let output = child.wait_with_output().expect("it ends");
        ended.push(killed.elapsed().as_millis());
        assert_eq!(output.status.code(), Some(6), "{}", seen(&output));
        assert_eq!(json(&output)["error"]["code"], "browser_lost");
        assert_eq!(page.processes(), Vec::<String>::new());
        assert_eq!(page.left(), 0);
    }
    println!("soak: browser killed under the command, ended: {ended:?}");
}

#[test]
fn a_call_ends_at_its_timeout_and_reports_what_it_waited_for() {
    let page = Page::new("<h1>Maps</h1>", waiting_tool());
    let output = page.run(&["--timeout", "5s", "--item"]);
    let error = &json(&output)["error"];
    assert_eq!(error["code"], "handler_timeout", "{error}");
    assert_eq!(error["step_id"], "forever");
    // The last observation is included only if the page responds in time.
    assert!(error["evidence"]["waiting"].as_str().is_some_and(|waiting| !waiting.is_empty()), "{error}");
    assert_eq!(json(&output)["steps"][0]["id"], "shown");
}

#[test]
fn a_failure_shows_the_step_in_the_map_and_what_to_do_next() {
    let page = Page::new("<h1>Maps</h1>", waiting_tool());
    let output = page.run(&["--timeout", "5s"]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(1), ""));
    let printed = stderr(&output);
    for part in [
        "error[handler_timeout]",
        "actions.json:",
        "\"id\": \"forever\"",
        "step: forever",
        "help: ",
        "actions explain",
    ] {
        assert!(printed.contains(part), "{part} in {printed}");
    }
}

#[test]
fn a_secret_appears_only_in_the_value() {
    let tool = serde_json::json!({
        "name": "t", "description": "Signs in.",
        "input_schema": { "type": "object", "additionalProperties": false, "required": ["password"], "properties": {
            "password": { "type": "string", "format": "password" }, "where": { "type": "string", "default": "#echo" },
        } },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
            { "id": "type", "primitive": "text.insert", "args": { "target": { "selector": "#password" }, "text": "{% input.password %}", "mode": "replace" } },
            { "id": "press", "primitive": "keyboard.press", "args": { "key": "Enter" } },
            { "id": "echo", "primitive": "locator.text_content", "args": { "locator": { "selector": "{% input.where %}" } } },
        ], "output": "{% steps.echo.output.text %}" },
    });
    let body = "<form onsubmit=\"event.preventDefault(); history.replaceState({}, '', '?p=' + encodeURIComponent(password.value)); echo.textContent = 'hello ' + password.value\"><input id=password name=password></form><p id=echo>-</p>";
    let page = Page::new(body, tool);
    let secret = "hunter 22/x";
    let mut written = String::new();
    for (round, place) in ["#echo", "#absent"].into_iter().enumerate() {
        let trace = page.folder.path().join(format!("trace{round}"));
        let (password, place) = (format!("password={secret}"), format!("where={place}"));
        let output =
            page.run(&["-vv", "--arg", &password, "--arg", &place, "--trace", &trace.display().to_string()]);
        assert_eq!(output.status.code(), Some(i32::try_from(round).expect("small")), "{}", seen(&output));
        if round == 0 {
            assert_eq!(json(&output), format!("hello {secret}"), "the value is not masked");
        }
        written.push_str(&stderr(&output));
        gather(&trace, &mut written);
    }
    for form in [secret, "hunter%2022%2Fx", "hunter+22%2Fx", "hunter%2022/x"] {
        assert!(!written.contains(form), "{form} in {written}");
    }
    assert!(written.contains("[secret]"), "{written}");
}

#[test]
fn diff_masks_secrets() {
    let tool = serde_json::json!({
        "name": "t", "description": "Tells a secret to the page.",
        "input_schema": { "type": "object", "additionalProperties": false, "required": ["word"], "properties": {
            "word": { "type": "string", "format": "password" },
        } },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
            { "id": "type", "primitive": "text.insert", "args": { "target": { "selector": "#word" }, "text": "{% input.word %}", "mode": "replace" } },
        ], "output": "{% 'done' %}" },
    });
    let projection = serde_json::json!({
        "name": "page.heard", "description": "What the page has heard.",
        "snapshot": {
            "version": 1, "source": "dom",
            "extract": [{ "id": "page", "selector": "#heard", "many": false, "fields": { "heard": { "property": "textContent", "trim": true } } }],
            "projection": { "language": "jsonata", "expression": "{% { 'heard': records.page.heard } %}" },
            "output_schema": { "type": "object", "properties": { "heard": { "type": "string" } } },
        },
    });
    let body = "<input id=word oninput=\"heard.textContent = 'heard ' + word.value\"><p id=heard>nothing</p>";
    let page = Page::with_projections(body, tool, &[projection]);
    let output = page.run(&["--arg", "word=hunter22", "--diff", "page.heard"]);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    assert!(stderr(&output).contains("heard [secret]"), "{}", seen(&output));
    assert!(!stderr(&output).contains("hunter22"), "{}", seen(&output));
}

#[test]
fn a_call_that_never_starts_creates_no_trace_folder() {
    let site = Site::new();
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path().join("trace");
    let (map, trace) = (site.map(), folder.display().to_string());
    let url = site.local.server().url("/");
    for (more, exit) in [
        (&["--diff", "no.projection"][..], 2),
        (&["--browser", "/no/such/browser"], 6),
        (&["--replay", "sites/docs.example/handbook/recordings/search.har"], 6),
    ] {
        let call = ["run", &map, "page.text", "--url", &url, "--trace", &trace];
        let output = actions(&[&call, more].concat());
        assert_eq!(output.status.code(), Some(exit), "{more:?}: {}", seen(&output));
        assert!(!folder.exists(), "{more:?}");
    }
    std::fs::create_dir(&folder).and_then(|()| std::fs::write(folder.join("mine"), "")).expect("a folder");
    let output = actions(&["run", &map, "page.text", "--trace", &trace, "--browser", "/no/such/browser"]);
    assert_eq!(output.status.code(), Some(2), "reported before a browser is launched: {}", seen(&output));
}

/// Appends the names and contents of all files below a folder.
fn gather(folder: &std::path::Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        text.push_str(&path.display().to_string());
        match path.is_dir() {
            true => gather(&path, text),
            false => text.push_str(&String::from_utf8_lossy(&std::fs::read(&path).expect("it can be read"))),
        }
    }
}

#[test]
fn the_input_schema_decides_the_type_of_an_argument() {
    let tool = serde_json::json!({
        "name": "t", "description": "Says what it was given.",
        "input_schema": { "type": "object", "additionalProperties": false, "properties": {
            "code": { "type": "string" }, "copies": { "type": "integer" }, "gift": { "type": "boolean" }, "tags": { "type": "array" },
        } },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": [], "output": "{% input %}" },
    });
    let page = Page::new("<h1>Maps</h1>", tool);
    let output =
        page.run(&["--arg", "code=0042", "--arg", "copies=2", "--arg", "gift=true", "--arg", "tags=[\"a\"]"]);
    assert_eq!(
        json(&output),
        serde_json::json!({ "code": "0042", "copies": 2, "gift": true, "tags": ["a"] })
    );
}

#[test]
fn a_loop_cut_by_max_items_warns_even_in_a_pipe() {
    let tool = serde_json::json!({
        "name": "t", "description": "Reads the heading three times, and may do so twice.",
        "input_schema": { "type": "object", "additionalProperties": false },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
            { "id": "each", "primitive": "locator.text_content", "for_each": "{% [1..3] %}", "max_items": 2,
              "args": { "locator": { "selector": "h1" } } },
        ], "output": "{% $count(steps.each.items) %}" },
    });
    let page = Page::new("<h1>Maps</h1>", tool);
    let picture = page.folder.path().join("end.png").display().to_string();
    let output = page.run(&["--screenshot", &picture]);
    assert_eq!(json(&output), 2, "{}", seen(&output));
    let warning = "warning: step `each` skipped 1 item because of its `max_items`\n";
    assert!(stderr(&output).contains(warning), "{}", seen(&output));
    assert!(stderr(&output).contains("screenshot: "), "{}", seen(&output));
    let quiet = page.run(&["--screenshot", &picture, "-q"]);
    assert_eq!(stderr(&quiet), "", "neither warnings nor notes");
}

#[test]
fn a_settle_that_runs_out_and_a_failing_after_each_warn_even_in_a_pipe() {
    let tool = serde_json::json!({
        "name": "t", "description": "Reads the heading and waits for what never comes.",
        "input_schema": { "type": "object", "additionalProperties": false },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
            { "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "h1" } },
              "settle_after": { "locator": { "selector": "#never" }, "state": "visible", "timeout_ms": 60 } },
            { "id": "again", "primitive": "locator.text_content", "args": { "locator": { "selector": "h1" } },
              "retry_until": "{% index = 2 %}", "max_attempts": 3,
              "after_each": { "primitive": "locator.wait_for", "args": {
                  "locator": { "selector": "#never" }, "state": "attached", "timeout_ms": 20 } } },
        ], "output": "{% steps.read.output.text %}" },
    });
    let page = Page::new("<h1>Maps</h1>", tool);
    let trace = page.folder.path().join("trace");
    let output = page.run(&["--trace", &trace.display().to_string()]);
    assert_eq!(json(&output), "Maps", "{}", seen(&output));
    let printed = stderr(&output);
    assert!(
        printed.contains("warning: the `settle_after` of step `read` was not met; the call went on after")
    );
    let after_each = "warning: the `after_each` of step `again` (locator.wait_for) failed 2 times, at last: ";
    assert!(printed.contains(after_each), "{printed}");
    assert!(printed.contains("(timeout)"), "{printed}");
    let mut written = String::new();
    gather(&trace, &mut written);
    assert!(written.contains(r#""event":"settled""#) && written.contains(r#""event":"after_each_failed""#));
    let quiet = page.run(&["-q"]);
    assert!(!stderr(&quiet).contains("warning: "), "{}", seen(&quiet));
}

#[test]
fn an_exhausted_retry_prints_its_last_attempt_and_the_last_error_of_after_each() {
    let tool = serde_json::json!({
        "name": "t", "description": "Waits for another heading.",
        "input_schema": { "type": "object", "additionalProperties": false },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
            { "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "h1" } },
              "retry_until": "{% steps.read.output.text = 'Atlas' %}", "max_attempts": 2,
              "after_each": { "primitive": "locator.wait_for", "args": {
                  "locator": { "selector": "#never" }, "state": "attached", "timeout_ms": 20 } } },
        ] },
    });
    let output = Page::new("<h1>Maps</h1>", tool).run(&[]);
    assert_eq!(output.status.code(), Some(1), "{}", seen(&output));
    let printed = stderr(&output);
    assert!(printed.contains(r#"last attempt: {"text":"Maps""#), "{printed}");
    assert!(printed.contains("after_each: failed 1 time, at last: "), "{printed}");
}

/// A projection of the text of `#saved`.
fn saved() -> Value {
    serde_json::json!({
        "name": "page.saved", "description": "What the page has saved.",
        "snapshot": {
            "version": 1, "source": "dom",
            "extract": [{ "id": "page", "selector": "#saved", "many": false, "fields": { "saved": { "property": "textContent", "trim": true } } }],
            "projection": { "language": "jsonata", "expression": "{% { 'saved': records.page.saved } %}" },
            "output_schema": { "type": "object", "properties": { "saved": { "type": "string" } } },
        },
    })
}

#[test]
fn diff_waits_for_a_page_that_saves_later() {
    let tool = serde_json::json!({
        "name": "t", "description": "Saves.",
        "input_schema": { "type": "object", "additionalProperties": false },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
            { "id": "save", "primitive": "pointer.click", "args": { "locator": { "selector": "button" } } },
        ], "output": "{% 'clicked' %}" },
    });
    let body = |delay: u32| {
        format!(
            "<button onclick=\"setTimeout(() => saved.textContent = 'all', {delay})\">Save</button><p id=saved>nothing</p>"
        )
    };
    let late = Page::with_projections(&body(900), tool.clone(), &[saved()]).run(&["--diff", "page.saved"]);
    assert!(stderr(&late).contains("page.saved: 1 change"), "{}", seen(&late));
    let never = Page::with_projections(&body(600_000), tool, &[saved()]).run(&["--diff", "page.saved"]);
    assert!(stderr(&never).contains("page.saved: nothing changed"), "{}", seen(&never));
}

#[test]
fn a_redirect_of_the_start_page_explains_what_is_missing_there() {
    let tool = serde_json::json!({
        "name": "t", "description": "Reads the board.",
        "input_schema": { "type": "object", "additionalProperties": false },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
            { "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "#board" } } },
        ] },
    });
    let mut projection = saved();
    projection["scope"] = serde_json::json!({ "url_matches": ["*/board"] });
    let page = Page::with_projections("<p id=board>Cards</p>", tool, &[projection]);
    page.server.page("/login", "<form></form>");
    page.server.route("/board", |_| Response::redirect("/login?from=board"));
    let url = page.server.url("/board");
    let went = "help: the page went to /login instead of /board; sign in first if that is why, or pass another address";
    let output = page.run(&["--url", &url]);
    assert!(stderr(&output).contains(went), "{}", seen(&output));
    let map = page.folder.path().join("actions.json").display().to_string();
    let output = actions(&["state", "read", &map, "page.saved", "--url", &url, "-q"]);
    assert!(stderr(&output).contains(went), "{}", seen(&output));
    // Without a redirect the advice is another.
    let output = page.run(&["--url", &page.server.url("/login")]);
    assert!(!stderr(&output).contains("the page went to"), "{}", seen(&output));
}

#[test]
fn a_start_page_that_is_an_error_fails_unless_it_is_allowed() {
    let tool = serde_json::json!({
        "name": "t", "description": "Reads the heading.",
        "input_schema": { "type": "object", "additionalProperties": false },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
            { "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "h1" } } },
        ], "output": "{% steps.read.output.text %}" },
    });
    let page = Page::new("<h1>Maps</h1>", tool);
    page.server.route("/gone", |_| Response::html("<h1>Gone</h1>").with_status(404));
    page.server.route("/broken", |_| Response::html("<h1>Broken</h1>").with_status(500));
    for (path, status) in [("/gone", 404), ("/broken", 500)] {
        let url = page.server.url(path);
        let output = page.run(&["--url", &url, "--item"]);
        assert_eq!(output.status.code(), Some(6), "{}", seen(&output));
        let error = &json(&output)["error"];
        assert_eq!(
            (&error["code"], &error["evidence"]["http_status"]),
            (&"navigation_failed".into(), &status.into())
        );
        assert!(stderr(&page.run(&["--url", &url])).contains("--allow-http-error"));
    }
    let output = page.run(&["--url", &page.server.url("/gone"), "--allow-http-error"]);
    assert_eq!(json(&output), "Gone", "{}", seen(&output));
}

#[test]
fn a_static_output_needs_neither_a_browser_nor_a_network() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let map = folder.path().join("actions.json");
    let text = serde_json::json!({
        "protocol": "actions.json", "version": 1, "surface": { "origin": "https://nowhere.invalid" },
        "tools": [{
            "name": "t", "description": "Returns the guide.",
            "input_schema": { "type": "object", "additionalProperties": false },
            "target": { "selector": "#never" },
            "x_actions": { "static_output": { "guide": "Search first." } },
        }],
    });
    std::fs::write(&map, text.to_string()).expect("a map");
    let (map, trace) = (map.display().to_string(), folder.path().join("trace"));
    let output = actions(&[
        "run",
        &map,
        "t",
        "--browser",
        "/no/such/browser",
        "--trace",
        &trace.display().to_string(),
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    assert_eq!(json(&output)["guide"], "Search first.");
    assert_eq!(stderr(&output), "");
    let mut written = String::new();
    gather(&trace, &mut written);
    assert!(written.contains(r#""event":"call_finished","ok":true"#), "{written}");
}

#[test]
fn an_answered_dialog_is_printed_among_the_steps() {
    let tool = serde_json::json!({
        "name": "t", "description": "Says yes.",
        "input_schema": { "type": "object", "additionalProperties": false },
        "x_actions": { "on_dialog": "accept" },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
            { "id": "ask", "primitive": "pointer.click", "args": { "locator": { "selector": "button" } } },
            { "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "button" } } },
        ], "output": {
            "text": "{% steps.read.output.text %}", "dialogs": "{% steps.ask.output.answered_dialogs %}",
            "later": "{% $exists(steps.read.output.answered_dialogs) %}",
        } },
    });
    let page = Page::new("<button onclick=\"textContent = confirm('Delete all?')\">Delete</button>", tool);
    let output = page.run(&["-v"]);
    assert_eq!(
        json(&output),
        serde_json::json!({
            "text": "true",
            "dialogs": [{ "kind": "confirm", "message": "Delete all?", "accepted": true }],
            "later": false,
        }),
        "the output of the step says which dialog was answered and how: {}",
        seen(&output)
    );
    let (dialog, step) =
        (stderr(&output).find("confirm: \"Delete all?\" – yes"), stderr(&output).find("✓ ask"));
    assert!(dialog.is_some() && dialog < step, "{}", seen(&output));
}

#[test]
fn diagnostics_go_to_stderr_when_they_are_asked_for() {
    let run = |log: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_actions"))
            .args(["run", "sites/example.com/actions.json", "search.submit", "--arg", "query=maps", "-q"])
            .args(["--replay", "sites/example.com/recordings/search.har"])
            .current_dir(root())
            .env("ACTIONS_LOG", log)
            .output();
        output.expect("the command starts")
    };
    let (silent, talkative, wrong) = (run(""), run("actions_engine=debug"), run("a=b=c"));
    assert!(!stderr(&silent).contains("call{"), "{}", seen(&silent));
    let diagnostics = stderr(&talkative);
    assert!(diagnostics.contains("call{id=call-1 tool=search.submit}:step{id="), "{diagnostics}");
    assert!(!diagnostics.contains("actions_browser"), "{diagnostics}");
    assert!(stderr(&wrong).contains("warning: ACTIONS_LOG is not understood"), "{}", seen(&wrong));
    assert!([&talkative, &wrong].iter().all(|output| stdout(output) == stdout(&silent)));
}

#[test]
fn a_traversal_repeats_the_tool_until_its_transition_converges() {
    let map = "sites/mail.example/inbox/actions.json";
    let input = r#"{"address": "ada@mail.example", "password": "a long password"}"#;
    let har = "sites/mail.example/inbox/recordings/sign_in.har";
    let output =
        actions(&["run", map, "session.sign_in", "--traverse", "sign_in", "--input", input, "--replay", har]);
    let value: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!((&value["converged"], &value["attempts"]), (&true.into(), &1.into()), "{}", seen(&output));
    assert_eq!(value["values"][0]["signed_in"], true);
}

#[test]
fn a_traversal_that_nothing_ends_is_refused_before_a_browser_starts() {
    let map = "sites/example.com/actions.json";
    let output = actions(&["run", map, "results.read_page", "--arg", "page=1", "--traverse", "turn_page"]);
    assert_eq!(output.status.code(), Some(1), "{}", seen(&output));
    assert!(
        seen(&output).contains("which the engine cannot decide; write an expression"),
        "{}",
        seen(&output)
    );
    let output =
        actions(&["run", map, "search.submit", "--arg", "query=maps", "--traverse", "grow_catalogue"]);
    assert_eq!(output.status.code(), Some(2), "{}", seen(&output));
}
