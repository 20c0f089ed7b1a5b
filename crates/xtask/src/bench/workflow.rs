//! What the interpreter costs: twelve steps by the engine and by hand, on one page: see bench/README.md.

use std::process::Command;

use serde_json::json;

use super::load::load_average;
use super::racer::Racer;
use super::samples::{Samples, rounded};
use crate::command_line::CommandLine;
use crate::failure::Failure;
use crate::program::target;
use crate::workspace::{root, write};

const ROUNDS: usize = 60;

/// Rounds before the first that counts.
const WARM_UP: usize = 10;

/// The goal: the time of the engine as a multiple of the time of the hand-written program.
const GOAL: f64 = 1.15;

/// Measures both, interleaved, and writes bench/results/workflow.json.
pub(crate) fn run() -> Result<(), Failure> {
    let build =
        ["build", "--release", "--quiet", "--package", "actions-engine", "--example", "bench_workflow"];
    CommandLine::cargo(build).run()?;
    let program = target()?.join("release/examples/bench_workflow");
    let mut racer = Racer::start("workflow", Command::new(program).arg(root().join("bench/workflow")))?;
    for _ in 0..WARM_UP {
        racer.perform("engine")?;
        racer.perform("by hand")?;
    }
    let load = load_average();
    let (mut engine, mut by_hand) = (Samples::default(), Samples::default());
    let mut trips = [json!(null), json!(null)];
    for _ in 0..ROUNDS {
        for (place, (task, samples)) in
            [("engine", &mut engine), ("by hand", &mut by_hand)].into_iter().enumerate()
        {
            let answer = racer.perform(task)?;
            samples.add(answer["ms"].as_f64().unwrap_or(f64::NAN));
            trips[place] = answer["round_trips"].clone();
        }
    }
    let load = [load, load_average()];
    let ratio = engine.median() / by_hand.median();
    let met = ratio <= GOAL && trips[0] == trips[1];
    let result = json!({
        "steps": 12, "rounds": ROUNDS, "load_average": load.map(rounded),
        "engine": engine.to_json(), "by_hand": by_hand.to_json(), "ratio": rounded(ratio),
        "round_trips": { "engine": trips[0], "by_hand": trips[1] },
        "goal": { "ratio_at_most": GOAL, "round_trips": "equal", "met": met },
    });
    write(&root().join("bench/results/workflow.json"), format!("{result:#}\n").as_bytes())?;
    println!(
        "\ntwelve steps, {ROUNDS} rounds, load {:.1} to {:.1}; medians (95th percentiles) in milliseconds\n",
        load[0], load[1]
    );
    println!("| engine | by hand | ratio | round trips | goal |");
    println!("| ---: | ---: | ---: | ---: | --- |");
    println!(
        "| {:.2} ({:.2}) | {:.2} ({:.2}) | {ratio:.3} | {} and {} | {} |",
        engine.median(),
        engine.p95(),
        by_hand.median(),
        by_hand.p95(),
        trips[0],
        trips[1],
        if met { "met" } else { "missed" }
    );
    Ok(())
}
