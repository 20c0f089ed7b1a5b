//! However a session ends, nothing is left of it: no process, socket, lock, log or profile.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::{MAP, RECORDING, Sessions, descendants, is_browser, until};
use crate::root;

/// How a session ends.
#[derive(Clone, Copy, Debug)]
enum End {
    Stopped,
    Idle,
    RuntimeKilled,
    TerminalKilled,
    BrowserKilled,
    Interrupted,
}

/// Half of the sessions are killed: the runtime, the terminal or the browser.
const ENDS: [End; 6] =
    [End::Stopped, End::RuntimeKilled, End::Idle, End::TerminalKilled, End::Interrupted, End::BrowserKilled];

#[test]
fn sessions_leave_nothing_behind_however_they_end() {
    let rounds = std::env::var("ACTIONS_SESSIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(6);
    let sessions = Sessions::new();
    let scratch = tempfile::tempdir().expect("a folder for profiles");
    let mut took = Vec::new();
    for round in 0..rounds {
        let end = ENDS[round % ENDS.len()];
        took.push(one(&sessions, scratch.path(), &format!("s{round}"), end).as_millis());
    }
    println!("soak: session ended, gone: {took:?}");
}

/// Starts, uses and ends a session, and returns how long it took until nothing was left of it.
fn one(sessions: &Sessions, scratch: &Path, name: &str, end: End) -> Duration {
    let idle = if matches!(end, End::Idle) { "200ms" } else { "30m" };
    let start = ["session", "start", name, MAP, "--replay", RECORDING, "--idle", idle, "--quiet"];
    let mut terminal = None;
    if matches!(end, End::TerminalKilled) {
        let program = env!("CARGO_BIN_EXE_actions");
        let script = format!("'{program}' {} --with-parent; read line", start.join(" "));
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(root()).env("XDG_RUNTIME_DIR", sessions.folder.path());
        let shell = shell.env("TMPDIR", scratch).stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        terminal = Some(shell.expect("a shell"));
        until("the session starts", || sessions.place(&format!("{name}.sock")).exists());
    } else {
        let mut command = sessions.command(&start);
        let started = command.env("TMPDIR", scratch).stdout(Stdio::null()).status().expect("it starts");
        assert!(started.success(), "{end:?}");
    }
    if !matches!(end, End::Idle) {
        sessions.ok(&["run", "--session", name, "cart.read", "--timeout", "20s"]);
    }
    let pid = match end {
        // It may have ended by now.
        End::Idle => None,
        _ => Some(sessions.pid(name)),
    };
    let begun = Instant::now();
    match (end, pid) {
        (End::RuntimeKilled, Some(pid)) => kill_process(pid, Signal::KILL).expect("the process runs"),
        (End::Interrupted, Some(pid)) => kill_process(pid, Signal::TERM).expect("the process runs"),
        (End::BrowserKilled, Some(pid)) => {
            let below = descendants(&pid.as_raw_nonzero().to_string());
            for browser in below.into_iter().filter(|pid| is_browser(*pid)) {
                let _ = kill_process(Pid::from_raw(browser).expect("a process id"), Signal::KILL);
            }
            sessions.ok(&["session", "stop", name, "--quiet"]);
        }
        (End::Stopped, _) => drop(sessions.ok(&["session", "stop", name, "--quiet"])),
        _ => {}
    }
    if let Some(mut terminal) = terminal {
        terminal.kill().expect("the shell runs");
        terminal.wait().expect("the shell has ended");
    }
    let marks = [sessions.folder.path(), scratch].map(|path| path.display().to_string());
    loop {
        // It removes the files of processes that were killed.
        sessions.ok(&["session", "list", "--format", "json"]);
        let left = left_behind(sessions, scratch, &marks);
        if left.is_empty() {
            break;
        }
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "left by a session that ended so: {end:?}\n{left:#?}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    begun.elapsed()
}

/// Files, profiles and processes that are left.
fn left_behind(sessions: &Sessions, scratch: &Path, marks: &[String]) -> Vec<String> {
    let mut left: Vec<String> = sessions.files().iter().map(|file| file.display().to_string()).collect();
    let profiles = std::fs::read_dir(scratch).expect("the folder").flatten();
    left.extend(profiles.map(|profile| profile.path().display().to_string()));
    let own = std::process::id().to_string();
    let processes = std::fs::read_dir("/proc").expect("a list of processes").flatten();
    for process in processes.filter(|process| process.file_name().to_string_lossy() != own) {
        let text = |file: &str| {
            let bytes = std::fs::read(process.path().join(file)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).replace('\0', " ")
        };
        let (environment, command) = (text("environ"), text("cmdline"));
        if marks.iter().any(|mark| environment.contains(mark) || command.contains(mark)) {
            left.push(format!("process {}: {command}", process.file_name().to_string_lossy()));
        }
    }
    left
}
