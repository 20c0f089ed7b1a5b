//! Background sessions: commands share a page, and nothing stays behind.

mod ends;
mod lasting;
mod pages;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use actions_testserver::TestServer;
use rustix::fs::{FlockOperation, flock};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::{Value, json};

use super::{root, seen, stderr, stdout};

const MAP: &str = "sites/example.com/actions.json";
const RECORDING: &str = "sites/example.com/recordings/cart.har";

/// A runtime folder of its own. Dropping it ends every session in it.
struct Sessions {
    folder: tempfile::TempDir,
}

impl Sessions {
    fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("sessions").tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("actions")).expect("a folder");
        let closed = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(folder.path().join("actions"), closed).expect("a folder of ours");
        Self { folder }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_actions"));
        command.args(arguments).current_dir(root()).env("NO_COLOR", "1");
        command.env("XDG_RUNTIME_DIR", self.folder.path());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the command starts")
    }

    /// Runs a command that must succeed, and returns its standard output.
    fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}\n{}", seen(&output));
        stdout(&output)
    }

    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.ok(arguments)).expect("JSON")
    }

    /// Runs a command that must fail with an exit code, and returns its standard error.
    fn refused(&self, exit: i32, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(exit), "{arguments:?}\n{}", seen(&output));
        assert_eq!(stdout(&output), "", "{arguments:?}");
        stderr(&output)
    }

    /// Starts a session on the recorded site.
    fn start(&self, name: &str) {
        self.ok(&["session", "start", name, MAP, "--replay", RECORDING]);
    }

    fn pid(&self, name: &str) -> Pid {
        let listed = self.json(&["session", "list", "--format", "json"]);
        let session = listed.as_array().expect("a list").iter().find(|session| session["name"] == name);
        let pid = session.and_then(|session| session["pid"].as_i64()).expect("a process");
        Pid::from_raw(i32::try_from(pid).expect("a process id")).expect("a process id")
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.folder.path().join("actions")).expect("the folder");
        entries.map(|entry| entry.expect("an entry").path()).collect()
    }

    fn place(&self, file: &str) -> PathBuf {
        self.folder.path().join("actions").join(file)
    }
}

impl Drop for Sessions {
    fn drop(&mut self) {
        self.run(&["session", "stop", "--all", "--quiet"]);
    }
}

/// Waits until something is true.
fn until(what: &str, is_true: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_true() {
        assert!(begun.elapsed() < Duration::from_secs(30), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn commands_share_the_page_of_a_session_and_nothing_stays_behind() {
    let sessions = Sessions::new();
    sessions.start("work");
    let first: Value =
        sessions.json(&["run", "--session", "work", "cart.add", "--arg", "item_id=night-trams"]);
    assert_eq!(first["copies"], 1);
    let listed = sessions.json(&["session", "list", "--format", "json"]);
    assert_eq!(listed[0]["name"], "work");
    assert_eq!(listed[0]["pages"][0]["runtime_id"], "work-1");
    assert_eq!(
        listed[0]["pages"][0]["url"], "https://example.com/cart/",
        "the next command finds the page here"
    );
    let here = sessions.json(&["list", "--session", "work", "--format", "json"]);
    let names: Vec<_> = here["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
    assert!(names.contains(&json!("cart.read")), "{names:?}");
    let url = sessions.json(&["primitives", "page.info", "--session", "work"]);
    assert_eq!(url["url"], "https://example.com/cart/");
    let socket = std::fs::metadata(sessions.place("work.sock")).expect("a socket");
    assert_eq!(socket.permissions().mode() & 0o777, 0o600);

    let pid = sessions.pid("work");
    sessions.ok(&["session", "stop", "work"]);
    assert_eq!(sessions.files(), Vec::<PathBuf>::new());
    until("the process ends", || test_kill_process(pid).is_err());
    let error = sessions.refused(6, &["run", "--session", "work", "cart.read"]);
    assert!(error.contains("there is no session `work`"), "{error}");
}

#[test]
fn a_state_is_compared_with_the_one_that_the_session_read_last() {
    let sessions = Sessions::new();
    let (map, recording) =
        ("sites/board.example/board/actions.json", "sites/board.example/board/recordings/move_card.har");
    sessions.ok(&["session", "start", "board", map, "--replay", recording]);
    let first = sessions.ok(&["state", "diff", "--session", "board", "site.board"]);
    assert!(first.contains("no baseline to compare with"), "{first}");
    let move_card =
        ["run", "--session", "board", "card.move", "--arg", "card_id=card-2", "--arg", "list_id=done"];
    sessions.ok(&move_card);
    let second = sessions.ok(&["state", "diff", "--session", "board", "site.board"]);
    assert!(second.contains("3 changes"), "{second}");
    let summary = sessions.ok(&[
        "state",
        "summary",
        "--session",
        "board",
        "site.board",
        "list_page",
        "--arg",
        "list_id=done",
    ]);
    assert!(summary.contains("card-2"), "{summary}");
    let with_map = sessions.ok(&["state", "summary", "--session", "board", map, "site.board"]);
    assert!(with_map.contains("card"), "{with_map}");
}

#[test]
fn what_cannot_be_meant_is_refused_with_what_to_do() {
    let sessions = Sessions::new();
    sessions.start("work");
    let mut report = String::new();
    for (exit, arguments) in [
        (2, &["session", "start", "work", MAP] as &[&str]),
        (2, &["session", "start", "../work", MAP]),
        (2, &["session", "start", "other", "no/such/map.json"]),
        (6, &["session", "stop", "other"]),
        (6, &["run", "--session", "other", "cart.read"]),
        (2, &["run", "--session", "work", "cart.red"]),
        (2, &["run", "--session", "work", "cart.read", "--headed"]),
        (2, &["run", "--session", "work", "cart.read", "--url", "https://example.com/"]),
        (2, &["run", "--session", "work", "sites/board.example/board/actions.json", "cart.read"]),
        (3, &["run", "--session", "work", "cart.add", "--arg", "copies=many"]),
        (6, &["run", "--session", "work", "--page", "elsewhere", "cart.read"]),
        (2, &["state", "read", "--session", "work", "site.card"]),
        (3, &["primitives", "pointer.click", "--session", "work", "--args", "{\"z\": 1}"]),
        (2, &["run", "cart.read"]),
    ] {
        let error = sessions.refused(exit, arguments).replace(env!("CARGO_MANIFEST_DIR"), "");
        // The cost of a primitive has a time in it.
        let lines = error.lines().filter(|line| !line.contains(" round trips, "));
        let error: String = lines.map(|line| format!("{line}\n")).collect();
        report += &format!("$ actions {}\n{error}\n", arguments.join(" "));
    }
    let root = std::fs::canonicalize(root()).expect("the root");
    insta::assert_snapshot!(report.replace(&root.display().to_string(), "ROOT"));
}

#[test]
fn a_session_whose_process_was_killed_is_gone_and_its_files_are_removed() {
    let sessions = Sessions::new();
    sessions.start("work");
    let pid = sessions.pid("work");
    kill_process(pid, Signal::KILL).expect("the process runs");
    until("the process ends", || sessions.ok(&["session", "list", "--format", "json"]).trim() == "[]");
    assert_eq!(sessions.files(), Vec::<PathBuf>::new());
    sessions.start("work");
    sessions.ok(&["run", "--session", "work", "cart.read", "--timeout", "20s"]);
}

#[test]
fn a_lost_browser_is_reported_and_the_session_can_be_stopped() {
    let sessions = Sessions::new();
    sessions.start("work");
    let pid = sessions.pid("work").as_raw_nonzero().get();
    let browsers: Vec<i32> =
        descendants(&pid.to_string()).into_iter().filter(|pid| is_browser(*pid)).collect();
    assert!(!browsers.is_empty(), "the session has a browser");
    for browser in browsers {
        // Its helpers may end before their turn comes.
        let _ = kill_process(Pid::from_raw(browser).expect("a process id"), Signal::KILL);
    }
    until("the loss is noticed", || {
        let listed = sessions.ok(&["session", "list"]);
        listed.contains("its browser is gone")
    });
    let error = sessions.refused(6, &["run", "--session", "work", "cart.read"]);
    assert!(error.contains("error[browser_lost]"), "{error}");
    sessions.ok(&["session", "stop", "work"]);
    assert_eq!(sessions.files(), Vec::<PathBuf>::new());
}

/// The processes of a list, and those below them.
fn descendants(list: &str) -> Vec<i32> {
    let children = list.split_whitespace().filter_map(|pid| pid.parse().ok());
    children
        .flat_map(|pid: i32| {
            let threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
            let below =
                threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
            std::iter::once(pid).chain(descendants(&below.collect::<Vec<_>>().join(" "))).collect::<Vec<_>>()
        })
        .collect()
}

fn is_browser(pid: i32) -> bool {
    let command = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    command.contains("--remote-debugging") && !command.contains("--type=")
}

#[test]
fn a_session_ends_when_it_is_idle_and_with_its_parent() {
    let sessions = Sessions::new();
    sessions.ok(&["session", "start", "idle", MAP, "--replay", RECORDING, "--idle", "300ms"]);
    until("the idle session ends", || sessions.files().is_empty());

    let script = format!(
        "'{}' session start child {MAP} --replay {RECORDING} --with-parent; read line",
        env!("CARGO_BIN_EXE_actions")
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(root()).env("XDG_RUNTIME_DIR", sessions.folder.path());
    let mut shell = shell.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("a shell");
    until("the session starts", || sessions.place("child.sock").exists());
    sessions.ok(&["run", "--session", "child", "cart.read"]);
    drop(shell.stdin.take());
    shell.wait().expect("the shell ends");
    until("the session ends with its shell", || sessions.files().is_empty());
}

#[test]
fn a_command_that_is_interrupted_leaves_the_session_usable() {
    let sessions = Sessions::new();
    sessions.start("work");
    let wait = json!({ "locator": { "selector": "#never" }, "timeout_ms": 60000 }).to_string();
    let arguments =
        ["primitives", "locator.wait_for", "--session", "work", "--args", &wait, "--timeout", "60s"];
    let mut waiting = sessions.command(&arguments);
    let waiting = waiting.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
    let pid = Pid::from_raw(i32::try_from(waiting.id()).expect("a process id")).expect("a process id");
    until("the wait has begun", || {
        let listed = sessions.json(&["session", "list", "--format", "json"]);
        listed[0]["last_used_at"].as_str() > listed[0]["started_at"].as_str()
    });
    kill_process(pid, Signal::INT).expect("the command runs");
    let output = waiting.wait_with_output().expect("the command ends");
    assert_eq!(output.status.code(), Some(1), "{}", seen(&output));
    assert!(stderr(&output).contains("cancelled"), "{}", seen(&output));
    sessions.ok(&["run", "--session", "work", "cart.read"]);
}

#[test]
fn a_socket_of_another_version_or_without_a_process_is_explained() {
    let sessions = Sessions::new();
    let lock = std::fs::File::create(sessions.place("old.lock")).expect("a file");
    flock(&lock, FlockOperation::NonBlockingLockExclusive).expect("a lock");
    let error = sessions.refused(6, &["run", "--session", "old", "cart.read"]);
    assert!(error.contains("the session `old` cannot be reached"), "{error}");

    let listener = std::os::unix::net::UnixListener::bind(sessions.place("old.sock")).expect("a socket");
    let old = std::thread::spawn(move || {
        use std::io::Write;
        let (mut stream, _) = listener.accept().expect("a command");
        stream.write_all(b"{\"actions_session\":0,\"version\":\"0.0.9\",\"pid\":4242}\n").expect("it reads");
        listener
    });
    let error = sessions.refused(6, &["run", "--session", "old", "cart.read"]);
    assert!(error.contains("was started by actions 0.0.9"), "{error}");
    assert!(error.contains("kill 4242"), "{error}");
    drop(old.join());
}

#[test]
fn a_folder_that_others_can_enter_is_refused() {
    let sessions = Sessions::new();
    let folder = sessions.folder.path().join("actions");
    let open = |mode| std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(mode)).expect("ours");
    open(0o755);
    let error = sessions.refused(6, &["session", "list"]);
    open(0o700);
    assert!(error.contains("is open to other users"), "{error}");
}

/// A site with a login: the board is shown only with the cookie that the form sets.
async fn site_with_login() -> TestServer {
    let server = TestServer::start().await.expect("a server");
    server.page(
        "/",
        r##"<title>Board</title><form id=login hidden><input id=user><button>Log in</button></form><ul id=board></ul>
        <button id=add hidden>Add</button><script>
        const user = /user=(\w+)/.exec(document.cookie)?.[1];
        const cards = JSON.parse(sessionStorage.cards ?? "[]");
        const show = () => { board.innerHTML = cards.map((card) => `<li data-id="${card}">${card}</li>`).join("") };
        if (user) { show(); add.hidden = false; document.title = user } else login.hidden = false;
        login.onsubmit = () => { document.cookie = "user=" + document.querySelector("#user").value };
        add.onclick = () => { cards.push("card-" + cards.length); sessionStorage.cards = JSON.stringify(cards); show() };
        </script>"##,
    );
    server
}

fn map_with_login(origin: &str, folder: &Path) -> PathBuf {
    let tool = |name: &str, input: Value, steps: Value, output: &str| {
        json!({ "name": name, "description": "A tool.", "input_schema": input,
            "workflow": { "version": 1, "expression_language": "jsonata", "steps": steps, "output": output } })
    };
    let object = json!({ "type": "object", "additionalProperties": false });
    let map = json!({
        "protocol": "actions.json", "version": 1, "surface": { "origin": origin, "name": "Board" },
        "tools": [
            tool("login", json!({ "type": "object", "required": ["user"], "properties": { "user": { "type": "string" } } }), json!([
                { "id": "type", "primitive": "text.insert",
                  "args": { "target": { "selector": "#user" }, "text": "{% input.user %}" } },
                { "id": "submit", "primitive": "pointer.click", "args": { "locator": { "selector": "#login button" } } },
                { "id": "in", "primitive": "locator.wait_for", "args": { "locator": { "selector": "#add" } } },
            ]), "{% true %}"),
            tool("card.add", object, json!([
                { "id": "add", "primitive": "pointer.click", "args": { "locator": { "selector": "#add" } } },
            ]), "{% true %}"),
        ],
        "state_projections": [{
            "name": "site.board", "description": "The cards.",
            "snapshot": { "version": 1, "source": "dom",
                "extract": [{ "id": "cards", "selector": "#board li", "many": true,
                    "fields": { "id": { "attribute": "data-id" } } }],
                "projection": { "language": "jsonata", "expression": "{% {'cards': $append([], records.cards)} %}" } },
            "summaries": [],
        }],
    });
    let file = folder.join("actions.json");
    std::fs::write(&file, map.to_string()).expect("a writable folder");
    file
}

#[tokio::test]
async fn a_login_holds_for_the_calls_of_its_session_and_for_no_other() {
    let server = site_with_login().await;
    let folder = tempfile::tempdir().expect("a folder");
    let map = map_with_login(&server.origin(), folder.path()).display().to_string();
    let commands = move || {
        let sessions = Sessions::new();
        sessions.ok(&["session", "start", "ada", &map]);
        sessions.ok(&["run", "--session", "ada", "login", "--arg", "user=ada"]);
        sessions.ok(&["state", "read", "--session", "ada", "site.board"]);
        for _ in 0..5 {
            sessions.ok(&["run", "--session", "ada", "card.add"]);
        }
        let diff = sessions.ok(&["state", "diff", "--session", "ada", "site.board"]);
        assert!(diff.contains("5 changes"), "{diff}");

        sessions.ok(&["session", "start", "other", &map]);
        let error = sessions.refused(1, &["run", "--session", "other", "card.add", "--timeout", "2s"]);
        assert!(error.contains("#add") || error.contains("did not finish"), "{error}");
    };
    tokio::task::spawn_blocking(commands).await.expect("the commands do as expected");
}
