//! Process cleanup: no orphan, zombie or profile folder is left when the browser or the engine is closed or killed.
//!
//! The tests run few rounds by default; `ACTIONS_LAUNCHES`, `ACTIONS_BROWSER_KILLS` and `ACTIONS_ENGINE_KILLS` set the
//! numbers. `ACTIONS_TEST_BROWSER=chromium` runs them with full Chromium.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use actions_browser::chromium::{self, ChromiumBrowser, LaunchOptions};
use actions_browser::{Browser, ContextOptions, Deadline, Error, SystemClock};
use rustix::process::{Pid, Signal, kill_process};

const ENGINE_ROOT: &str = "ACTIONS_TEST_ENGINE_ROOT";

fn rounds(variable: &str, few: usize) -> usize {
    std::env::var(variable).ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(few)
}

/// Returns samples in milliseconds, the format that `cargo xtask soak` parses and evaluates.
fn millis(samples: &[Duration]) -> Vec<u128> {
    samples.iter().map(Duration::as_millis).collect()
}

fn options(root: &Path) -> LaunchOptions {
    options_of(std::env::var("ACTIONS_TEST_BROWSER").is_ok_and(|name| name == "chromium"), root)
}

fn options_of(whole: bool, root: &Path) -> LaunchOptions {
    let executable = chromium::launch::find(None, whole).unwrap().path;
    LaunchOptions {
        executable: Some(executable),
        profile_root: Some(root.to_path_buf()),
        ..LaunchOptions::default()
    }
}

fn soon() -> Deadline {
    Deadline::after(&SystemClock, Duration::from_secs(60))
}

/// A process in `/proc`: its id, its parent, its group, and whether it is a zombie.
struct Process {
    pid: u32,
    parent: u32,
    group: u32,
    zombie: bool,
}

fn processes() -> Vec<Process> {
    let numbers = fs::read_dir("/proc").unwrap().flatten();
    let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers
        .filter_map(|pid| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            let fields: Vec<&str> = stat[stat.rfind(')')? + 1..].split_ascii_whitespace().collect();
            Some(Process {
                pid,
                parent: fields[1].parse().ok()?,
                group: fields[2].parse().ok()?,
                zombie: fields[0] == "Z",
            })
        })
        .collect()
}

/// Returns the processes of a browser: those in its group, and those with the folder in their command line.
fn belonging(group: Option<u32>, root: &Path) -> Vec<u32> {
    let named = root.display().to_string();
    let names_folder = |pid: u32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(&named)
    };
    let all = processes().into_iter().filter(|process| !process.zombie);
    all.filter(|process| Some(process.group) == group || names_folder(process.pid))
        .map(|process| process.pid)
        .collect()
}

/// Returns how many children of this process have not been reaped.
fn own_zombies() -> usize {
    processes().iter().filter(|process| process.zombie && process.parent == std::process::id()).count()
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

fn folders(root: &Path) -> Vec<PathBuf> {
    fs::read_dir(root).unwrap().flatten().map(|entry| entry.path()).collect()
}

/// Returns the folders of the singleton sockets of running browsers. Full Chromium creates one and links to it from its
/// profile.
fn socket_folders(root: &Path) -> Vec<PathBuf> {
    let links = folders(root).into_iter().map(|folder| folder.join("profile/SingletonSocket"));
    links.filter_map(|link| Some(fs::read_link(link).ok()?.parent()?.to_path_buf())).collect()
}

/// Waits until a condition holds that must become true.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

async fn use_browser(browser: &ChromiumBrowser) -> Result<(), Error> {
    let context = browser.new_context(ContextOptions::default(), soon()).await?;
    let page = context.new_page(soon()).await?;
    page.evaluate("1 + 1", soon()).await?;
    Ok(())
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

#[test]
fn launching_and_closing_leaves_no_process_folder_or_descriptor() {
    let root = tempfile::tempdir().unwrap();
    let launches = rounds("ACTIONS_LAUNCHES", 4);
    let mut descriptors_seen = BTreeSet::new();
    let mut closed = Vec::new();
    runtime().block_on(async {
        for round in 0..launches {
            let browser = chromium::launch(options(root.path())).await.unwrap().browser;
            let group = browser.process_id();
            if round % 4 != 3 {
                use_browser(&browser).await.unwrap();
            }
            let closing = Instant::now();
            browser.close().await;
            closed.push(closing.elapsed());
            assert_eq!(belonging(group, root.path()), Vec::<u32>::new());
            assert_eq!(folders(root.path()), Vec::<PathBuf>::new());
            descriptors_seen.insert(descriptors());
        }
    });
    assert_eq!(own_zombies(), 0);
    // The runtime opens some descriptors in the first round and keeps them; later rounds must not add any.
    assert!(descriptors_seen.len() <= 2, "{descriptors_seen:?}");
    println!("soak: close: {:?}", millis(&closed));
}

#[test]
fn killing_the_browser_reports_browser_lost_and_leaves_no_process_or_folder() {
    let root = tempfile::tempdir().unwrap();
    let kills = rounds("ACTIONS_BROWSER_KILLS", 3);
    let mut noticed = Vec::new();
    let mut descriptors_seen = BTreeSet::new();
    runtime().block_on(async {
        for round in 0..kills {
            let browser = chromium::launch(options(root.path())).await.unwrap().browser;
            let group = browser.process_id().unwrap();
            // The delay differs between rounds and is the same in every run.
            let moment = Duration::from_millis((round as u64).wrapping_mul(2_654_435_761) % 250);
            let killing = async {
                tokio::time::sleep(moment).await;
                kill_process(Pid::from_raw(i32::try_from(group).unwrap()).unwrap(), Signal::KILL).unwrap();
                let killed = Instant::now();
                browser.lost().await;
                killed
            };
            let working = async {
                loop {
                    if let Err(error) = use_browser(&browser).await {
                        return (error, Instant::now());
                    }
                }
            };
            let ((error, failed), killed) = tokio::join!(working, killing);
            let later = use_browser(&browser).await.unwrap_err();
            for error in [error, later] {
                assert!(matches!(error, Error::BrowserLost { .. }), "{error:?}");
            }
            noticed.push(failed.saturating_duration_since(killed));
            browser.close().await;
            assert_eq!(belonging(Some(group), root.path()), Vec::<u32>::new());
            assert_eq!(folders(root.path()), Vec::<PathBuf>::new());
            descriptors_seen.insert(descriptors());
        }
    });
    assert_eq!(own_zombies(), 0);
    assert!(descriptors_seen.len() <= 2, "{descriptors_seen:?}");
    println!("soak: browser killed, noticed: {:?}", millis(&noticed));
}

#[test]
fn the_socket_folder_of_a_killed_chromium_is_removed_with_its_profile() {
    let root = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let browser = chromium::launch(options_of(true, root.path())).await.unwrap().browser;
        let sockets = socket_folders(root.path());
        assert_eq!(sockets.len(), 1, "full Chromium has such a folder");
        assert!(sockets[0].starts_with(root.path()), "{sockets:?}");
        let leader = i32::try_from(browser.process_id().unwrap()).unwrap();
        kill_process(Pid::from_raw(leader).unwrap(), Signal::KILL).unwrap();
        browser.lost().await;
        browser.close().await;
        assert!(!sockets[0].exists(), "{sockets:?}");
    });
}

#[test]
fn an_engine_that_is_a_subreaper_reaps_the_helpers_of_its_browser() {
    let root = tempfile::tempdir().unwrap();
    let engine = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "engine_that_is_a_subreaper", "--ignored", "--nocapture"])
        .env(ENGINE_ROOT, root.path())
        .output()
        .unwrap();
    assert!(engine.status.success(), "{}", String::from_utf8_lossy(&engine.stderr));
}

/// The engine of the test above. It needs its own process because being a subreaper applies to the whole process.
#[test]
#[ignore = "started by the test that checks its exit status"]
fn engine_that_is_a_subreaper() {
    let root = PathBuf::from(std::env::var_os(ENGINE_ROOT).unwrap());
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).unwrap();
    runtime().block_on(async {
        let browser = chromium::launch(options(&root)).await.unwrap().browser;
        use_browser(&browser).await.unwrap();
        let leader = i32::try_from(browser.process_id().unwrap()).unwrap();
        kill_process(Pid::from_raw(leader).unwrap(), Signal::KILL).unwrap();
        browser.lost().await;
        browser.close().await;
    });
    assert_eq!(own_zombies(), 0);
}

#[test]
fn killing_the_engine_leaves_no_process_and_no_folder() {
    let root = tempfile::tempdir().unwrap();
    let kills = rounds("ACTIONS_ENGINE_KILLS", 2);
    let mut outlived = Vec::new();
    for round in 0..kills {
        let mut engine = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "engine_that_waits_to_be_killed", "--ignored", "--nocapture"])
            .env(ENGINE_ROOT, root.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(engine.stdout.take().unwrap());
        let group: u32 = output
            .lines()
            .find_map(|line| line.unwrap().split_once("browser runs as ")?.1.trim().parse().ok())
            .unwrap();
        assert!(belonging(Some(group), root.path()).len() > 2, "the browser and its helpers run");
        std::thread::sleep(Duration::from_millis((round as u64).wrapping_mul(2_654_435_761) % 100));
        engine.kill().unwrap();
        let killed = Instant::now();
        engine.wait().unwrap();
        until("the browser and its helpers end with the engine", || {
            belonging(Some(group), root.path()).is_empty()
        });
        outlived.push(killed.elapsed());
        until("the folder goes with the engine", || folders(root.path()).is_empty());
    }
    println!("soak: engine killed, outlived: {:?}", millis(&outlived));
}

/// The engine of the test above: a browser with a page that never yields and one that does nothing.
#[test]
#[ignore = "started by the test that kills it"]
fn engine_that_waits_to_be_killed() {
    let root = PathBuf::from(std::env::var_os(ENGINE_ROOT).unwrap());
    runtime().block_on(async {
        let browser = chromium::launch(options(&root)).await.unwrap().browser;
        let context = browser.new_context(ContextOptions::default(), soon()).await.unwrap();
        let busy = context.new_page(soon()).await.unwrap();
        let _idle = context.new_page(soon()).await.unwrap();
        let never = busy.evaluate("for (;;) {}", soon());
        let waiting = async {
            println!("browser runs as {}", browser.process_id().unwrap());
            tokio::time::sleep(Duration::from_secs(600)).await;
        };
        let _ = tokio::join!(never, waiting);
    });
}
