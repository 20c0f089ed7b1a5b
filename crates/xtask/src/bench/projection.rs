//! The state of a page with 10,000 records by us and by Playwright with a transformation in JavaScript: see
//! bench/README.md.

use std::process::Command;

use serde_json::{Value, json};

use super::load::load_average;
use super::peers;
use super::racer::Racer;
use super::samples::{Samples, rounded};
use crate::command_line::CommandLine;
use crate::failure::Failure;
use crate::program::target;
use crate::workspace::{root, write};

const ROUNDS: usize = 40;

/// Rounds before the first that counts; by then V8 has compiled what is hot.
const WARM_UP: usize = 5;

/// The goal: our time as a multiple of the time of Playwright.
const GOAL: f64 = 1.5;

/// The most bytes of the summary.
const SUMMARY_BYTES: u64 = 2_000;

const TASKS: [&str; 2] = ["state_read", "state_summary"];

/// Measures both, interleaved, and writes bench/results/projection.json.
pub(crate) fn run() -> Result<(), Failure> {
    let (mut ours, mut playwright) = racers()?;
    for task in TASKS.iter().flat_map(|task| [*task; WARM_UP]) {
        ours.perform(task)?;
        playwright.perform(task)?;
    }
    let load = load_average();
    let mut tasks = serde_json::Map::new();
    let mut rows = Vec::new();
    for task in TASKS {
        let (mut us, mut them, mut last) = (Samples::default(), Samples::default(), Value::Null);
        for _ in 0..ROUNDS {
            last = ours.perform(task)?;
            us.add(last["ms"].as_f64().unwrap_or(f64::NAN));
            them.add(playwright.perform(task)?["ms"].as_f64().unwrap_or(f64::NAN));
        }
        let ratio = us.median() / them.median();
        let small =
            task != "state_summary" || last["bytes"].as_u64().is_some_and(|bytes| bytes <= SUMMARY_BYTES);
        let met = ratio <= GOAL && small && last["round_trips"] == 1;
        rows.push(format!(
            "| {task} | {:.1} ({:.1}) | {:.1} ({:.1}) | {ratio:.2} | {} | {} | {} |",
            us.median(),
            us.p95(),
            them.median(),
            them.p95(),
            last["bytes"],
            last["round_trips"],
            if met { "met" } else { "missed" }
        ));
        tasks.insert(
            task.to_owned(),
            json!({
                "ours": us.to_json(), "playwright": them.to_json(), "ratio": rounded(ratio),
                "bytes": last["bytes"], "round_trips": last["round_trips"],
                "goal": { "ratio_at_most": GOAL, "summary_bytes_at_most": SUMMARY_BYTES, "round_trips": 1, "met": met },
            }),
        );
    }
    let load = [load, load_average()];
    let result = json!({
        "records": 10_000, "fields": 3, "rounds": ROUNDS, "executable": ours.ready["executable"],
        "load_average": load.map(rounded), "tasks": tasks,
    });
    write(&root().join("bench/results/projection.json"), format!("{result:#}\n").as_bytes())?;
    println!(
        "\n10,000 records of 3 fields, {ROUNDS} rounds, load {:.1} to {:.1}; medians (95th percentiles) in milliseconds\n",
        load[0], load[1]
    );
    println!("| | ours | Playwright | ratio | bytes | round trips | goal |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: | --- |");
    rows.iter().for_each(|row| println!("{row}"));
    Ok(())
}

fn racers() -> Result<(Racer, Racer), Failure> {
    peers::install("bench/projection")?;
    let build =
        ["build", "--release", "--quiet", "--package", "actions-engine", "--example", "bench_projection"];
    CommandLine::cargo(build).run()?;
    let program = target()?.join("release/examples/bench_projection");
    let folder = root().join("bench");
    let (pages, map) = (folder.join("browser/pages"), folder.join("projection/actions.json"));
    let ours = Racer::start("ours", Command::new(program).arg(pages).arg(map))?;
    let said = |key: &str| ours.ready[key].as_str().unwrap_or_default().to_owned();
    let mut node = Command::new("node");
    node.arg(folder.join("projection/playwright.mjs")).args([said("executable"), said("origin")]);
    let playwright = Racer::start("playwright", &mut node)?;
    Ok((ours, playwright))
}
