//! What a session is recorded to, what it keeps in a profile, and what a command does when its process is stopped.

use std::time::{Duration, Instant};

use actions_testserver::TestServer;
use rustix::process::{Signal, kill_process};
use serde_json::Value;

use super::{Sessions, map_with_login, seen, site_with_login, stderr, until};

/// Runs commands, which block, beside a server.
async fn beside<T: Send + 'static>(commands: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(commands).await.expect("the commands do as expected")
}

async fn login_site() -> (TestServer, tempfile::TempDir, String) {
    let server = site_with_login().await;
    let folder = tempfile::tempdir().expect("a folder");
    let map = map_with_login(&server.origin(), folder.path()).display().to_string();
    (server, folder, map)
}

#[tokio::test]
async fn a_call_in_a_session_is_recorded_and_the_session_goes_on() {
    let (_server, folder, map) = login_site().await;
    let har = folder.path().join("add.har");
    let page_har = folder.path().join("page.har");
    beside(move || {
        let sessions = Sessions::new();
        sessions.ok(&["session", "start", "ada", &map]);
        sessions.ok(&["run", "--session", "ada", "login", "--arg", "user=ada"]);
        let (har, page_har) = (har.display().to_string(), page_har.display().to_string());
        let recorded = sessions.run(&["record", "--session", "ada", "card.add", "--reload", "--har", &har]);
        assert!(recorded.status.success(), "{}", seen(&recorded));
        assert!(stderr(&recorded).contains("recorded 1 request in"), "{}", seen(&recorded));
        let entries = |file: &str| {
            let text = std::fs::read_to_string(file).expect("a recording");
            let har: Value = serde_json::from_str(&text).expect("JSON");
            har["log"]["entries"].as_array().expect("a list").len()
        };
        assert_eq!(entries(&har), 1);

        sessions.ok(&["run", "--session", "ada", "card.add"]);
        sessions.ok(&["record", "--session", "ada", "--har", &page_har]);
        assert_eq!(entries(&page_har), 1, "the recording before has ended");
        let state: Value = sessions.json(&["state", "read", "--session", "ada", "site.board"]);
        assert_eq!(state["cards"].as_array().map(Vec::len), Some(2));

        sessions.refused(2, &["record", "--session", "ada", "--har", &har, "--arg", "user=ada"]);
        sessions.refused(2, &["record", "--session", "ada", "card.add", "--har", "no/such/folder/a.har"]);
        sessions.refused(2, &["record", "--session", "ada", "card.add", "--har", &har, "--headed"]);
    })
    .await;
}

#[tokio::test]
async fn a_profile_keeps_a_login_from_one_session_to_the_next() {
    let (_server, folder, map) = login_site().await;
    let profile = folder.path().join("profile");
    beside(move || {
        let sessions = Sessions::new();
        let profile_name = profile.display().to_string();
        sessions.ok(&["session", "start", "one", &map, "--profile", &profile_name]);
        sessions.ok(&["run", "--session", "one", "login", "--arg", "user=ada"]);
        let taken = sessions.refused(2, &["session", "start", "two", &map, "--profile", &profile_name]);
        assert!(taken.contains("another session uses this profile"), "{taken}");
        sessions.ok(&["session", "stop", "one"]);
        sessions.ok(&["session", "start", "two", &map, "--profile", &profile_name]);
        sessions.ok(&["run", "--session", "two", "card.add", "--timeout", "20s"]);
        sessions.ok(&["session", "stop", "two"]);
        sessions.ok(&["session", "start", "idle", &map, "--profile", &profile_name, "--idle", "300ms"]);
        until("the idle session ends", || sessions.files().is_empty());
        let kept = std::fs::read_to_string(profile.join("storage-state.json")).expect("the state");
        assert!(kept.contains("\"ada\""), "{kept}");
    })
    .await;
}

#[test]
fn a_command_whose_session_is_stopped_ends_a_moment_after_its_time() {
    let sessions = Sessions::new();
    sessions.start("work");
    let pid = sessions.pid("work");
    let wait = r##"{"locator": {"selector": "#never"}, "timeout_ms": 60000}"##;
    let mut waiting = sessions.command(&[
        "primitives",
        "locator.wait_for",
        "--session",
        "work",
        "--args",
        wait,
        "--timeout",
        "3s",
    ]);
    let mut waiting = waiting.stderr(std::process::Stdio::piped()).spawn().expect("the command starts");
    let begun = Instant::now();
    until("the wait has begun", || {
        let listed = sessions.json(&["session", "list", "--format", "json"]);
        listed[0]["last_used_at"].as_str() > listed[0]["started_at"].as_str()
    });
    kill_process(pid, Signal::STOP).expect("the process runs");
    let status = waiting.wait().expect("it ends");
    let took = begun.elapsed();
    kill_process(pid, Signal::CONT).expect("the process is there");
    assert_eq!(status.code(), Some(6));
    assert!(took < Duration::from_secs(8), "{took:?}");
    let mut text = String::new();
    std::io::Read::read_to_string(&mut waiting.stderr.take().expect("a pipe"), &mut text).expect("text");
    assert!(text.contains("has said nothing for") && text.contains("kill -CONT"), "{text}");
    sessions.ok(&["run", "--session", "work", "cart.read"]);
}

#[test]
fn a_tool_is_repeated_in_a_session_until_its_transition_is_complete() {
    let sessions = Sessions::new();
    let (map, recording) =
        ("sites/mail.example/inbox/actions.json", "sites/mail.example/inbox/recordings/sign_in.har");
    sessions.ok(&["session", "start", "mail", map, "--replay", recording]);
    let input = r#"{"address": "ada@mail.example", "password": "a long password"}"#;
    let value = sessions.json(&[
        "run",
        "--session",
        "mail",
        "session.sign_in",
        "--traverse",
        "sign_in",
        "--input",
        input,
        "-q",
    ]);
    assert_eq!((&value["converged"], &value["attempts"]), (&true.into(), &1.into()), "{value}");
    let other = ["run", "--session", "mail", "session.sign_out", "--traverse", "sign_in"];
    let refused = sessions.refused(2, &other);
    assert!(refused.contains("is performed by `session.sign_in`"), "{refused}");
}

#[test]
fn a_session_shows_itself_to_people_and_ends_as_idle_all_the_same() {
    let sessions = Sessions::new();
    let (map, recording) =
        ("sites/mail.example/inbox/actions.json", "sites/mail.example/inbox/recordings/sign_in.har");
    let started =
        sessions.run(&["session", "start", "shown", map, "--replay", recording, "--ui", "--idle", "2s"]);
    assert!(started.status.success(), "{}", seen(&started));
    let printed = stderr(&started);
    let (_, rest) = printed.split_once("page for people: http://").expect("the address of the page");
    let (address, token) = rest.split_once("/#token=").expect("a token");
    assert!(token.lines().next().is_some_and(|token| token.len() == 64), "{printed}");
    let mut stream = std::net::TcpStream::connect(address).expect("the page is served");
    let head = format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    std::io::Write::write_all(&mut stream, head.as_bytes()).expect("it reads");
    let mut page = String::new();
    std::io::Read::read_to_string(&mut stream, &mut page).expect("text");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("/ui.js"), "{page}");
    until("the idle session ends", || sessions.files().is_empty());
}
