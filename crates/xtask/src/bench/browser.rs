//! The same tasks in the same Chromium by us, by Playwright, by Puppeteer and by bare CDP: see bench/README.md.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Map, Value, json};

use super::load::load_average;
use super::peers;
use super::racer::Racer;
use super::samples::{Samples, rounded};
use crate::command_line::CommandLine;
use crate::failure::Failure;
use crate::program::target;
use crate::workspace::{root, write};

const ROUNDS: usize = 40;

/// Rounds before the first that counts: pages are loaded and code is compiled by then.
const WARM_UP: usize = 5;

/// A task and what we want to reach in it: our median as a multiple of a peer's.
struct Task {
    name: &'static str,
    about: &'static str,
    goal: Option<(&'static str, f64)>,
}

const TASKS: &[Task] = &[
    Task { name: "launch", about: "start, open a page, read a text", goal: Some(("playwright", 1.0)) },
    Task { name: "element_info", about: "facts of one of 5,000 elements", goal: Some(("floor", 1.2)) },
    Task { name: "click", about: "find, click, read the effect", goal: Some(("playwright", 0.5)) },
    Task { name: "type", about: "type 20 characters, read them back", goal: None },
    Task { name: "wait_for", about: "wait for what comes after 50 ms", goal: Some(("floor", 1.2)) },
    Task { name: "extract", about: "10,000 records of 3 fields", goal: Some(("floor", 1.2)) },
];

const PEERS: [&str; 4] = ["ours", "floor", "playwright", "puppeteer"];

/// The order of the peers in each round. Each peer follows each other one equally often, because what one leaves in
/// the caches slows the next.
const TURNS: [[usize; PEERS.len()]; 4] = [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]];

/// Measures every peer, interleaved, and writes bench/results/browser.json.
pub(crate) fn run() -> Result<(), Failure> {
    let mut racers = racers()?;
    for (task, _) in TASKS.iter().flat_map(|task| (0..WARM_UP).map(move |round| (task, round))) {
        racers.iter_mut().try_for_each(|racer| racer.perform(task.name).map(drop))?;
    }
    let load = load_average();
    let mut results = Map::new();
    let mut table = Vec::new();
    for task in TASKS {
        let mut samples: [Samples; PEERS.len()] = Default::default();
        let mut cost = Value::Null;
        for at in (0..ROUNDS).flat_map(|round| TURNS[round % TURNS.len()]) {
            let answer = racers[at].perform(task.name)?;
            samples[at].add(answer["ms"].as_f64().unwrap_or(f64::NAN));
            if answer.get("commands").is_some() {
                cost = json!({ "commands": answer["commands"], "round_trips": answer["round_trips"] });
            }
        }
        results.insert(task.name.to_owned(), task.to_json(&samples, cost.clone()));
        table.push(task.row(&samples, &cost));
    }
    let load = [load, load_average()];
    let result = json!({
        "rounds": ROUNDS,
        "executable": racers[0].ready["executable"],
        "load_average": load.map(rounded),
        "tasks": results,
    });
    write(&root().join("bench/results/browser.json"), format!("{result:#}\n").as_bytes())?;
    println!(
        "\n{ROUNDS} rounds, load {:.1} to {:.1}; medians (95th percentiles) in milliseconds\n",
        load[0], load[1]
    );
    println!("| | ours | bare CDP | Playwright | Puppeteer | round trips | goal |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | --- |");
    table.iter().for_each(|row| println!("{row}"));
    Ok(())
}

impl Task {
    fn ratio(&self, samples: &[Samples; PEERS.len()], peer: &str) -> f64 {
        let at = PEERS.iter().position(|name| *name == peer).unwrap_or(0);
        samples[0].median() / samples[at].median()
    }

    fn to_json(&self, samples: &[Samples; PEERS.len()], cost: Value) -> Value {
        let times: Map<String, Value> =
            PEERS.iter().zip(samples).map(|(name, times)| ((*name).to_owned(), times.to_json())).collect();
        let ratios: Map<String, Value> = PEERS[1..]
            .iter()
            .map(|name| ((*name).to_owned(), json!(rounded(self.ratio(samples, name)))))
            .collect();
        let goal = self.goal.map(|(peer, most)| {
            json!({ "peer": peer, "ratio_at_most": most, "met": self.ratio(samples, peer) <= most })
        });
        json!({ "about": self.about, "times": times, "ratio_to": ratios, "our_cost": cost, "goal": goal })
    }

    fn row(&self, samples: &[Samples; PEERS.len()], cost: &Value) -> String {
        let cells: Vec<String> =
            samples.iter().map(|times| format!("{:.1} ({:.1})", times.median(), times.p95())).collect();
        let goal = self.goal.map_or_else(String::new, |(peer, most)| {
            let ratio = self.ratio(samples, peer);
            let verdict = if ratio <= most { "met" } else { "missed" };
            format!("{ratio:.2} of {peer}, at most {most}: {verdict}")
        });
        format!("| {} | {} | {} | {goal} |", self.about, cells.join(" | "), cost["round_trips"])
    }
}

/// Starts every peer, in the order of [`PEERS`].
fn racers() -> Result<Vec<Racer>, Failure> {
    peers::install("bench/browser")?;
    let examples = ["--example", "bench_browser", "--example", "bench_floor"];
    let build = ["build", "--release", "--quiet", "--package", "actions-primitives"];
    CommandLine::cargo(build.into_iter().chain(examples)).run()?;
    let programs = target()?.join("release/examples");
    let folder = root().join("bench/browser");
    let ours = Racer::start("ours", Command::new(programs.join("bench_browser")).arg(folder.join("pages")))?;
    let said = |key: &str| ours.ready[key].as_str().unwrap_or_default().to_owned();
    let (executable, origin) = (said("executable"), said("origin"));
    let start = |name: &'static str, program: PathBuf, script: Option<&str>| {
        let mut command = Command::new(program);
        command.args(script.map(|script| folder.join(script))).args([&executable, &origin]);
        Racer::start(name, &mut command)
    };
    let floor = start("floor", programs.join("bench_floor"), None)?;
    let playwright = start("playwright", "node".into(), Some("playwright.mjs"))?;
    let puppeteer = start("puppeteer", "node".into(), Some("puppeteer.mjs"))?;
    Ok(vec![ours, floor, playwright, puppeteer])
}
