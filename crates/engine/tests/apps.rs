//! Runs the maps of the fixture applications and compares each result with what the application itself says happened.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that cannot go on should stop and say why"
)]

use std::fmt::Write as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;

use actions_engine::browser::chromium::{LaunchOptions, find, launch};
use actions_engine::browser::{Browser, ContextOptions, Deadline, DownloadPolicy};
use actions_engine::{Engine, Outcome, Permits};
use actions_testserver::TestServer;
use serde::Deserialize;
use serde_json::json;

/// The origin that the maps name; the test server takes its place.
const ORIGIN: &str = "https://apps.example";

/// One call, with what the application must say at the end or the code of the error that must end the call.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    tool: String,
    /// Tools to call first, in the same session.
    #[serde(default)]
    before: Vec<String>,
    said: Option<Vec<String>>,
    error: Option<String>,
}

/// Declares the tests of each application, one per browser, and the list of all that are tested.
macro_rules! applications {
    ($($name:ident)*) => {
        const TESTED: &[&str] = &[$(stringify!($name)),*];

        mod headless_shell {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::run(stringify!($name), false).await;
            })*
        }

        mod chromium {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::run(stringify!($name), true).await;
            })*
        }
    };
}

applications! { board code combobox date dialogs files menus office richtext slider table terminal tree }

#[test]
fn every_application_has_its_tests() {
    let folders = std::fs::read_dir(apps()).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<String> = folders
        .filter(|path| path.join("cases.json").is_file())
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, TESTED);
}

async fn run(name: &str, whole_chromium: bool) {
    let libraries = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("apps").join("node_modules");
    let index = std::fs::read_to_string(apps().join(name).join("index.html")).unwrap();
    let needs_libraries = index.contains("/node_modules/");
    if needs_libraries && !libraries.is_dir() {
        eprintln!(
            "skipped: the widget libraries are not installed; `cargo xtask test apps` installs them from npm"
        );
        return;
    }
    let site = tempfile::tempdir().unwrap();
    if needs_libraries {
        symlink(&libraries, site.path().join("node_modules")).unwrap();
    }
    symlink(apps().join("said.js"), site.path().join("said.js")).unwrap();
    symlink(apps().join(name), site.path().join(name)).unwrap();
    let server = TestServer::serving(site.path()).await.unwrap();
    let executable = find(None, whole_chromium).expect("a browser is installed").path;
    let options = LaunchOptions { executable: Some(executable), ..LaunchOptions::default() };
    let browser = launch(options).await.expect("the browser starts").browser;
    let map = std::fs::read_to_string(apps().join(name).join("actions.json")).unwrap();
    let map = map.replace(ORIGIN, &server.origin()).replace("{{apps}}", &apps().display().to_string());
    let engine = Engine::from_bytes(&format!("{name}/actions.json"), map.as_bytes()).unwrap();
    let saved = tempfile::tempdir().unwrap();
    let permits = Permits::default().upload_from([apps().join(name)]).download_to(saved.path());
    let engine = engine.with_permits(permits);
    let cases = std::fs::read_to_string(apps().join(name).join("cases.json")).unwrap();
    let mut wrong = String::new();
    for case in serde_json::from_str::<Vec<Case>>(&cases).unwrap() {
        let options = ContextOptions {
            confinement: engine.confinement(),
            downloads: DownloadPolicy::Keep { max_bytes: 100_000 },
            ..ContextOptions::default()
        };
        let opening = Deadline::after(&*browser.clock(), Duration::from_secs(60));
        let context = browser.new_context(options, opening).await.unwrap();
        let session = engine.open_in(&browser, context, None).await.unwrap();
        for tool in &case.before {
            session.call(tool).run().await.result.unwrap_or_else(|error| panic!("{tool}: {error}"));
        }
        let outcome = session.call(&case.tool).arguments(json!({})).run().await;
        session.close().await;
        if let Some(difference) = difference(&case, &outcome) {
            writeln!(wrong, "{}: {difference}", case.tool).unwrap();
        }
    }
    browser.close().await;
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// What is wrong with the outcome of a case.
fn difference(case: &Case, outcome: &Outcome) -> Option<String> {
    match (&outcome.result, &case.said, &case.error) {
        (Ok(value), Some(said), _) if *value == json!(said) => None,
        (Ok(value), _, _) => Some(format!("reported success, and the application says {value}")),
        (Err(error), _, Some(code)) if error.code.as_str() == code => None,
        (Err(error), _, _) => Some(format!("{}: {} {:?}", error.code, error.message, error.evidence)),
    }
}

fn apps() -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/apps")).canonicalize().unwrap()
}
