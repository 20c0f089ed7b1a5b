//! Checks of many maps, and cases on recordings, by us and by Playwright's test runner: see bench/README.md.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use super::load::load_average;
use super::peers;
use super::racer::Racer;
use super::samples::rounded;
use crate::failure::Failure;
use crate::program::{measured, target};
use crate::recorded_maps::generate;
use crate::workspace::{root, write};

/// Maps that are checked, and cases that are played.
const MAPS: usize = 200;
const CASES: usize = 1_000;
/// What runs side by side, on both sides.
const WORKERS: usize = 4;
/// How often each side runs; they take turns.
const ROUNDS: usize = 2;

/// One side of a comparison.
struct Side {
    name: &'static str,
    seconds: Vec<f64>,
}

impl Side {
    fn best(&self) -> f64 {
        self.seconds.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// Checks of many maps on a server on this machine.
pub(super) fn check() -> Result<(), Failure> {
    let (ours, folder) = prepare("check")?;
    // The port decides about the origin in the maps.
    let port = TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr());
    let port = port.map_err(|source| Failure::File { path: PathBuf::from("127.0.0.1"), source })?.port();
    let origin = format!("http://127.0.0.1:{port}");
    generate(&folder, MAPS, &origin)?;
    let script = root().join("bench/drift/serve.mjs");
    let mut node = Command::new("node");
    let _server = Racer::start("server", node.arg(script).arg(&folder).arg(port.to_string()))?;
    timed(&ours, &["check", &text(&folder), "--update-lock", "-q", "--jobs", "4"])?;
    // Recordings beside a map name pages to look at; the server has them too.
    let arguments = ["check", &text(&folder), "--format", "json", "-q", "--jobs", "4"];
    let per_map = 3 + 7;
    let environment = [("BENCH_ORIGIN", origin.clone())];
    compare("check", &ours, &arguments, "checks.spec.mjs", MAPS, &environment, "checks", MAPS * per_map)
}

/// Cases on recordings.
pub(super) fn cases() -> Result<(), Failure> {
    let (ours, folder) = prepare("cases")?;
    generate(&folder, CASES, "https://shops.example")?;
    let arguments = ["test", &text(&folder), "--format", "json", "-q", "--jobs", "4"];
    let environment = [("BENCH_MAPS", text(&folder))];
    compare("cases", &ours, &arguments, "cases.spec.mjs", CASES, &environment, "cases", CASES)
}

fn prepare(name: &str) -> Result<(PathBuf, PathBuf), Failure> {
    peers::install("bench/drift")?;
    let folder = target()?.join("bench/drift").join(name);
    drop(fs::remove_dir_all(&folder));
    Ok((measured()?, folder))
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

#[expect(clippy::too_many_arguments, reason = "everything that differs between the two comparisons")]
fn compare(
    name: &str,
    ours: &Path,
    arguments: &[&str],
    suite: &str,
    count: usize,
    environment: &[(&str, String)],
    what: &str,
    units: usize,
) -> Result<(), Failure> {
    let load = load_average();
    let mut sides =
        [Side { name: "ours", seconds: Vec::new() }, Side { name: "Playwright", seconds: Vec::new() }];
    for _ in 0..ROUNDS {
        let (seconds, output) = timed(ours, arguments)?;
        succeeded("ours", &output["ok"], &output["summary"])?;
        sides[0].seconds.push(seconds);
        sides[1].seconds.push(playwright(suite, count, environment)?);
    }
    let load = [load, load_average()];
    println!(
        "\n{units} {what} of {count} pages, {WORKERS} at a time, best of {ROUNDS}, load {:.1} to {:.1}\n",
        load[0], load[1]
    );
    println!("| | seconds | {what} per minute |");
    println!("| --- | ---: | ---: |");
    let per_minute = |side: &Side| units as f64 / side.best() * 60.0;
    for side in &sides {
        println!("| {} | {:.1} | {:.0} |", side.name, side.best(), per_minute(side));
    }
    let side = |side: &Side| json!({ "seconds": side.seconds.iter().copied().map(rounded).collect::<Vec<_>>(), "per_minute": per_minute(side).round() });
    let result = json!({
        "pages": count, what: units, "workers": WORKERS, "load_average": load.map(rounded),
        "ours": side(&sides[0]), "playwright": side(&sides[1]), "ratio": rounded(sides[0].best() / sides[1].best()),
    });
    write(&root().join(format!("bench/results/{name}.json")), format!("{result:#}\n").as_bytes())
}

/// Runs our command. Its time includes its start and that of its browser, as for the others.
fn timed(program: &Path, arguments: &[&str]) -> Result<(f64, Value), Failure> {
    let begun = Instant::now();
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.map_err(|source| Failure::NotStarted { command: "actions".to_owned(), source })?;
    let seconds = begun.elapsed().as_secs_f64();
    Ok((seconds, serde_json::from_slice(&output.stdout).unwrap_or_default()))
}

fn playwright(suite: &str, count: usize, environment: &[(&str, String)]) -> Result<f64, Failure> {
    let folder = root().join("bench/drift");
    let scratch = target()?.join("bench/drift");
    let output = scratch.join("playwright.json");
    let chromium = std::env::var("ACTIONS_BROWSER").unwrap_or_else(|_| "/usr/bin/chromium".to_owned());
    let mut command = Command::new(folder.join("node_modules/.bin/playwright"));
    command.args(["test", "--config", "playwright.config.mjs"]).current_dir(&folder);
    command.env("BENCH_SUITE", suite).env("BENCH_WORKERS", WORKERS.to_string());
    command
        .env("BENCH_COUNT", count.to_string())
        .env("BENCH_OUTPUT", &output)
        .env("BENCH_CHROMIUM", chromium);
    command
        .env("BENCH_SCRATCH", scratch.join("scratch"))
        .envs(environment.iter().map(|(key, value)| (key, value)));
    let begun = Instant::now();
    let status = command.stdin(Stdio::null()).status();
    let status = status.map_err(|source| Failure::NotStarted { command: "playwright".to_owned(), source })?;
    let seconds = begun.elapsed().as_secs_f64();
    let report: Value =
        fs::read(&output).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    let all = report["stats"]["expected"] == count;
    succeeded("playwright", &json!(status.success() && all), &report["stats"])?;
    Ok(seconds)
}

fn succeeded(name: &'static str, ok: &Value, summary: &Value) -> Result<(), Failure> {
    match ok == &json!(true) {
        true => Ok(()),
        false => Err(Failure::Racer { name, answer: summary.to_string() }),
    }
}
