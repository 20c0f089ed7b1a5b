//! What a call costs over a WebSocket beside a direct call in the same session: see bench/README.md.

use std::process::Command;

use serde_json::json;

use super::load::load_average;
use super::racer::Racer;
use super::samples::{Samples, rounded};
use crate::command_line::CommandLine;
use crate::failure::Failure;
use crate::program::target;
use crate::workspace::{root, write};

const ROUNDS: usize = 300;

/// Rounds before the first that counts.
const WARM_UP: usize = 30;

/// The goal: what the wire adds to a call, in milliseconds.
const GOAL: f64 = 1.0;

/// Measures both, in turns, and writes bench/results/bridge.json.
pub(crate) fn run() -> Result<(), Failure> {
    let build = ["build", "--release", "--quiet", "--package", "actions-bridge", "--example", "bench_bridge"];
    CommandLine::cargo(build).run()?;
    let program = target()?.join("release/examples/bench_bridge");
    let mut racer = Racer::start("bridge", &mut Command::new(program))?;
    for _ in 0..WARM_UP {
        racer.perform("direct")?;
        racer.perform("socket")?;
    }
    let load = load_average();
    let (mut direct, mut socket) = (Samples::default(), Samples::default());
    for _ in 0..ROUNDS {
        for (task, samples) in [("direct", &mut direct), ("socket", &mut socket)] {
            samples.add(racer.perform(task)?["ms"].as_f64().unwrap_or(f64::NAN));
        }
    }
    let load = [load, load_average()];
    let added = socket.median() - direct.median();
    let met = added <= GOAL;
    let result = json!({
        "rounds": ROUNDS, "load_average": load.map(rounded), "direct": direct.to_json(),
        "over_websocket": socket.to_json(), "added_ms": rounded(added),
        "goal": { "added_ms_at_most": GOAL, "met": met },
    });
    write(&root().join("bench/results/bridge.json"), format!("{result:#}\n").as_bytes())?;
    println!(
        "\none read, {ROUNDS} rounds, load {:.1} to {:.1}; medians (95th percentiles) in milliseconds\n",
        load[0], load[1]
    );
    println!("| direct | over WebSocket | added | goal |");
    println!("| ---: | ---: | ---: | --- |");
    println!(
        "| {:.2} ({:.2}) | {:.2} ({:.2}) | {added:.2} | {} |",
        direct.median(),
        direct.p95(),
        socket.median(),
        socket.p95(),
        if met { "met" } else { "missed" }
    );
    Ok(())
}
