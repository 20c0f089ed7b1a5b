//! Tests of `actions state`.

use std::path::PathBuf;
use std::process::Output;

use actions_testserver::{Response, TestServer};
use serde_json::Value;

use super::{actions, root, seen, stderr, stdout};

/// A fixture site on a local server, and its map with the origin of that server.
struct Site {
    _runtime: tokio::runtime::Runtime,
    folder: tempfile::TempDir,
    server: TestServer,
    map: PathBuf,
}

impl Site {
    fn new(host: &str, surface: &str) -> Self {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let pages = root().join("fixtures/sites").join(host);
        let server = runtime.block_on(TestServer::serving(pages)).expect("a server");
        let map = root().join("sites").join(host).join(surface).join("actions.json");
        let map = std::fs::read_to_string(map).expect("the map");
        let folder = tempfile::tempdir().expect("a scratch folder");
        let path = folder.path().join("actions.json");
        let origin = format!("https://{host}");
        std::fs::write(&path, map.replace(&origin, &server.origin())).expect("a scratch map");
        Self { _runtime: runtime, folder, server, map: path }
    }

    fn board() -> Self {
        Self::new("board.example", "board")
    }

    /// Runs `actions COMMAND… MAP MORE… --url PATH`.
    fn run(&self, command: &[&str], path: &str, more: &[&str]) -> Output {
        let (map, url) = (self.map.display().to_string(), self.server.url(path));
        let arguments = [command, &[&map], more, &["--url", &url]].concat();
        actions(&arguments)
    }

    /// Serves the board with its first state changed.
    fn change_board(&self, changes: &[(&str, &str)]) {
        let store = root().join("fixtures/sites/board.example/assets/store.js");
        let store = std::fs::read_to_string(store).expect("the store of the board");
        let store = changes.iter().fold(store, |store, (from, to)| {
            assert!(store.contains(from), "{from}");
            store.replacen(from, to, 1)
        });
        self.server.route("/assets/store.js", move |_| {
            Response::status(200).with_body("text/javascript", store.clone())
        });
    }

    fn baseline(&self) -> String {
        self.folder.path().join("baseline.json").display().to_string()
    }
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&stdout(output)).unwrap_or_else(|error| panic!("{error}: {}", seen(output)))
}

/// Replaces what differs between runs and machines.
fn steady(text: &str, site: &Site) -> String {
    let about_the_sandbox = |line: &&str| line.starts_with("note: Chromium");
    let text: String = text.split_inclusive('\n').filter(|line| !about_the_sandbox(line)).collect();
    let text = text.replace(&site.server.origin(), "https://board.example");
    let text = text.replace(&site.folder.path().display().to_string(), "FOLDER");
    text.split_inclusive(char::is_whitespace)
        .map(|word| match word.trim_matches(|c: char| c == '"' || c == ',' || c.is_whitespace()) {
            moment if moment.len() == 24 && moment.ends_with('Z') => word.replace(moment, "MOMENT"),
            _ => word.to_owned(),
        })
        .collect()
}

#[test]
fn the_state_of_the_page_is_printed() {
    let site = Site::board();
    let output = site.run(&["state", "read"], "/", &["site.board", "-q"]);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    insta::assert_snapshot!(serde_json::to_string_pretty(&json(&output)).expect("JSON"));
}

#[test]
fn a_reading_as_json_includes_its_metadata() {
    let site = Site::board();
    let output = site.run(&["state", "read"], "/", &["site.log", "--format", "json"]);
    let reading = serde_json::to_string_pretty(&json(&output)).expect("JSON");
    insta::assert_snapshot!(steady(&reading, &site));
}

#[test]
fn a_summary_takes_arguments_and_fills_in_defaults() {
    let site = Site::board();
    let more = ["site.board", "list_page", "--arg", "list_id=ideas", "--arg", "limit=2", "-q"];
    let output = site.run(&["state", "summary"], "/", &more);
    insta::assert_snapshot!(stdout(&output).trim());
    let output = site.run(&["state", "summary"], "/", &["site.board", "-q"]);
    assert_eq!(json(&output)["lists"][0]["cards"], 3, "{}", seen(&output));
}

#[test]
fn a_diff_names_cards_and_lists_and_replaces_the_baseline() {
    let site = Site::board();
    let baseline = site.baseline();
    let diff = |more: &[&str]| {
        site.run(&["state", "diff"], "/", &[&["site.board", "--baseline", &baseline], more].concat())
    };
    let first = diff(&[]);
    site.change_board(&[
        ("list: \"ideas\", title: \"Rain gauge by the shed\"", "list: \"done\", title: \"Rain gauge by the gate\""),
        ("    { id: \"card-5\"", "    { id: \"card-20\", list: \"doing\", title: \"Mulch\", label: \"soil\", points: 5 },\n    { id: \"card-5\""),
        ("    { id: \"card-8\", list: \"done\", title: \"Order straw\", label: \"soil\", points: 1 },\n", ""),
        ("{ id: \"card-1\", list: \"ideas\", title: \"Try squash on the compost heap\", label: \"seeds\", points: 2 },\n", ""),
        ("{ id: \"card-3\", list: \"ideas\", title: \"Label every tap\", label: \"water\", points: 1 },",
         "{ id: \"card-3\", list: \"ideas\", title: \"Label every tap\", label: \"water\", points: 1 },\n    { id: \"card-1\", list: \"ideas\", title: \"Try squash on the compost heap\", label: \"seeds\", points: 2 },"),
    ]);
    let second = diff(&[]);
    let third = diff(&[]);
    let printed = [first, second, third].map(|output| steady(&seen(&output), &site));
    insta::assert_snapshot!(printed.join("\n"));
}

#[test]
fn a_diff_as_json_has_patches_and_deltas() {
    let site = Site::board();
    let baseline = site.baseline();
    let arguments = ["site.board", "--baseline", &baseline, "--format", "json"];
    site.run(&["state", "diff"], "/", &arguments);
    site.change_board(&[("title: \"Order straw\"", "title: \"Order hay\"")]);
    let output = site.run(&["state", "diff"], "/", &arguments);
    let diff = serde_json::to_string_pretty(&json(&output)).expect("JSON");
    insta::assert_snapshot!(steady(&diff, &site));
}

#[test]
fn a_state_over_its_budget_is_refused_with_the_summaries_that_fit() {
    let site = Site::board();
    let output = site.run(&["state", "read"], "/", &["site.board", "--max-bytes", "300"]);
    assert_eq!(output.status.code(), Some(1), "{}", seen(&output));
    insta::assert_snapshot!(steady(&seen(&output), &site));
    let item = site.run(&["state", "read"], "/", &["site.board", "--max-bytes", "300", "--item"]);
    let item = json(&item);
    assert_eq!(item["type"], "action_error");
    insta::assert_snapshot!("the_refusal_as_an_item", item["error"]["evidence"]);
}

#[test]
fn item_prints_one_line_on_success_and_on_failure() {
    let site = Site::board();
    let done = json(&site.run(&["state", "summary"], "/", &["site.board", "--item"]));
    assert_eq!((&done["type"], &done["output"]["ok"]), (&"action_call_output".into(), &true.into()));
    let failed =
        json(&site.run(&["state", "read"], "/nowhere", &["site.board", "--item", "--timeout", "2s"]));
    assert_eq!(failed["type"], "action_error");
}

#[test]
fn invalid_requests_are_refused_before_a_browser_starts() {
    let map = "sites/board.example/board/actions.json";
    let unknown = actions(&["state", "read", map, "site.bord"]);
    let summary = actions(&["state", "summary", map, "site.board", "agent_contxt"]);
    let input = actions(&["state", "summary", map, "site.board", "list_page"]);
    let usage = actions(&["state", "diff", map, "site.board"]);
    let printed = [unknown, summary, input, usage].map(|output| seen(&output));
    insta::assert_snapshot!(printed.join("\n"));
}

#[test]
fn an_unwritable_baseline_is_reported_before_a_browser_starts() {
    let map = "sites/board.example/board/actions.json";
    let arguments =
        ["state", "diff", map, "site.board", "--baseline", "no/such/dir/b.json", "--browser", "/no/browser"];
    insta::assert_snapshot!(seen(&actions(&arguments)));
}

#[test]
fn a_baseline_of_another_page_is_refused_and_kept() {
    let site = Site::board();
    let baseline = site.baseline();
    let diff = |path: &str| site.run(&["state", "diff"], path, &["site.board", "--baseline", &baseline]);
    assert_eq!(diff("/").status.code(), Some(0));
    let kept = std::fs::read_to_string(&baseline).expect("a baseline");
    let elsewhere = diff("/?board=2");
    insta::assert_snapshot!(steady(&seen(&elsewhere), &site));
    assert_eq!(std::fs::read_to_string(&baseline).expect("a baseline"), kept);
    let same = diff("/#done");
    assert_eq!(same.status.code(), Some(0), "only the fragment differs: {}", seen(&same));
}

#[test]
fn a_projection_that_does_not_apply_reports_where_it_applies() {
    let site = Site::new("example.com", "");
    let output = site.run(&["state", "read"], "/", &["site.item", "-q"]);
    insta::assert_snapshot!(steady(&seen(&output), &site));
}

#[test]
fn a_baseline_of_another_projection_is_refused_and_kept() {
    let site = Site::board();
    let baseline = site.baseline();
    std::fs::write(&baseline, r#"{ "projection": "site.log", "url": "", "observed_at": "2026-01-01T00:00:00Z", "state_hash": "", "state": {} }"#).expect("a file");
    let output = site.run(&["state", "diff"], "/", &["site.board", "--baseline", &baseline]);
    assert_eq!(output.status.code(), Some(2), "{}", seen(&output));
    assert!(stderr(&output).contains("a baseline of `site.log`, not of `site.board`"), "{}", seen(&output));
    assert!(std::fs::read_to_string(&baseline).expect("the file").contains("site.log"));
}

#[test]
fn run_with_diff_prints_what_changed() {
    let site = Site::board();
    let more = ["card.move", "--arg", "card_id=card-2", "--arg", "list_id=done", "--diff", "site.board"];
    let output = site.run(&["run"], "/", &more);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    let printed: Vec<String> = stderr(&output)
        .lines()
        .filter(|line| !line.starts_with("note: "))
        .map(|line| steady(line, &site))
        .collect();
    insta::assert_snapshot!(printed.join("\n"));
    let answer = json(&output);
    assert_eq!(answer["value"]["card_id"], "card-2");
    let moved = &answer["diff"]["patches"][0];
    assert_eq!(
        (&moved["op"], &moved["from"]),
        (&"move".into(), &"/board/lists/0/cards/1".into()),
        "{answer}"
    );
}

/// Runs a command on a published map with one of its recordings.
fn replayed(command: &[&str], surface: &str, recording: &str, more: &[&str]) -> Output {
    let map = format!("sites/{surface}/actions.json");
    let recording = format!("sites/{surface}/recordings/{recording}.har");
    actions(&[command, &[&map], more, &["--replay", &recording]].concat())
}

#[test]
fn the_published_maps_are_read_from_their_recordings() {
    let board = replayed(&["state", "summary"], "board.example/board", "move_card", &["site.board", "-q"]);
    assert_eq!(json(&board)["lists"][0]["cards"], 3, "{}", seen(&board));
    let shelves =
        replayed(&["state", "read"], "shop.example/storefront", "add_to_basket", &["shop.shelves", "-q"]);
    assert_eq!(json(&shelves)["sort"], "name", "{}", seen(&shelves));
    let session = replayed(&["state", "read"], "mail.example/inbox", "sign_in", &["mail.session", "-q"]);
    assert_eq!(json(&session)["signed_in"], false, "{}", seen(&session));
}

#[test]
fn the_published_maps_report_changes_from_their_recordings() {
    let call = ["card.move", "--arg", "card_id=card-2", "--arg", "list_id=done", "--diff", "site.board"];
    let moved = json(&replayed(&["run"], "board.example/board", "move_card", &call));
    assert_eq!(moved["diff"]["patches"][0]["op"], "move", "{moved}");
    let call = [
        "basket.add",
        "--arg",
        "sku=jug-cobalt",
        "--arg",
        "size=medium",
        "--arg",
        "pieces=2",
        "--diff",
        "shop.basket",
    ];
    let added = replayed(&["run"], "shop.example/storefront", "add_to_basket", &call);
    assert!(
        stderr(&added).contains("shop.basket: did not apply to the page before the call"),
        "{}",
        seen(&added)
    );
    assert_eq!(json(&added)["value"]["pieces"], 2);
    let call = [
        "session.sign_in",
        "--arg",
        "address=ada@mail.example",
        "--arg",
        "password=correct horse",
        "--diff",
        "mail.session",
    ];
    let signed_in = json(&replayed(&["run"], "mail.example/inbox", "sign_in", &call));
    let changed: Vec<&str> = signed_in["diff"]["semantic_deltas"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|delta| delta["field"].as_str())
        .collect();
    assert_eq!(changed, ["signed_in", "address"], "{signed_in}");
}

#[test]
fn the_input_schema_decides_the_type_of_a_summary_argument() {
    let map = "sites/board.example/board/actions.json";
    for (argument, fault) in [("label=42", "\"42\" is not one of"), ("label=true", "\"true\" is not one of")]
    {
        let output = actions(&["state", "summary", map, "site.board", "by_label", "--arg", argument]);
        assert_eq!(output.status.code(), Some(3), "{}", seen(&output));
        assert!(stderr(&output).contains(fault), "the schema wants text: {}", seen(&output));
    }
    let output = actions(&[
        "state",
        "summary",
        map,
        "site.board",
        "list_page",
        "--arg",
        "list_id=ideas",
        "--arg",
        "limit=99",
    ]);
    assert!(stderr(&output).contains("99 is greater than"), "the schema wants a number: {}", seen(&output));
}
