//! A 400 KB map, validated by us and by a node script that does less: see bench/README.md.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use super::load::load_average;
use super::peers;
use super::racer::Racer;
use super::samples::{Samples, rounded};
use crate::command_line::CommandLine;
use crate::failure::Failure;
use crate::program::{Program, target};
use crate::workspace::{root, write};

/// How often each of the four times is taken.
const ROUNDS: usize = 40;

/// Rounds before the first warm one that counts; by then V8 has compiled what is hot.
const WARM_UP: usize = 30;

/// The goal: our time as a fraction of the time of node.
const GOAL: f64 = 0.5;

/// Measures both, interleaved, and writes bench/results/validate.json.
pub(crate) fn run() -> Result<(), Failure> {
    let bench = Bench::prepare()?;
    let (mut ours, mut node) = (bench.ours()?, bench.node()?);
    for _ in 0..WARM_UP {
        ours.round()?;
        node.round()?;
    }
    let mut times = Times::default();
    let load = load_average();
    for _ in 0..ROUNDS {
        let answer = bench.ours()?.round()?;
        times.ours_cold.add(ms(&answer));
        let mut fresh = bench.node()?;
        times.ajv_compile.add(fresh.ready["ajv.compile"].as_f64().unwrap_or(f64::NAN));
        times.node_cold.add(ms(&fresh.round()?));
        drop(fresh);
        times.ours_warm.add(ms(&ours.round()?));
        let answer = node.round()?;
        times.node_warm.add(ms(&answer));
        for (part, samples) in &mut times.node_parts {
            samples.add(answer["parts"][*part].as_f64().unwrap_or(f64::NAN));
        }
    }
    let answers = (ours.round()?, node.round()?);
    let result = times.to_json(&bench, &answers, [load, load_average()]);
    let file = root().join("bench/results/validate.json");
    write(&file, format!("{result:#}\n").as_bytes())?;
    times.print(&bench, [load, load_average()]);
    Ok(())
}

fn ms(answer: &Value) -> f64 {
    answer["ms"].as_f64().unwrap_or(f64::NAN)
}

/// Everything that is needed before the first round.
struct Bench {
    map: PathBuf,
    schema: PathBuf,
    map_bytes: usize,
    tools: usize,
    program: PathBuf,
}

impl Bench {
    fn prepare() -> Result<Self, Failure> {
        peers::install("bench/validate")?;
        let target = target()?;
        let folder = target.join("bench/validate");
        fs::create_dir_all(&folder).map_err(|source| Failure::File { path: folder.clone(), source })?;
        let (map, schema) = (folder.join("actions.json"), folder.join("schema.json"));
        let text = Program::build("workshop")?.command(["large-map"]).output()?;
        let generated: Value = serde_json::from_slice(&text).unwrap_or_default();
        let tools = generated["tools"].as_array().map_or(0, Vec::len);
        write(&map, &text)?;
        write(&schema, &Program::build("actions")?.command(["schema"]).output()?)?;
        let build =
            ["build", "--release", "--quiet", "--package", "actions-manifest", "--example", "bench_validate"];
        CommandLine::cargo(build).run()?;
        let program = target.join("release/examples/bench_validate");
        Ok(Self { map, schema, map_bytes: text.len(), tools, program })
    }

    fn ours(&self) -> Result<Racer, Failure> {
        Racer::start("bench_validate", Command::new(&self.program).arg(&self.map))
    }

    fn node(&self) -> Result<Racer, Failure> {
        let script = root().join("bench/validate/node.mjs");
        Racer::start("node", Command::new("node").arg(script).arg(&self.map).arg(&self.schema))
    }
}

/// What was measured.
struct Times {
    ours_cold: Samples,
    node_cold: Samples,
    ours_warm: Samples,
    node_warm: Samples,
    ajv_compile: Samples,
    /// The parts of a warm round of node.
    node_parts: Vec<(&'static str, Samples)>,
}

impl Default for Times {
    fn default() -> Self {
        let parts = ["JSON.parse", "ajv", "jsonata"].map(|part| (part, Samples::default()));
        Self {
            ours_cold: Samples::default(),
            node_cold: Samples::default(),
            ours_warm: Samples::default(),
            node_warm: Samples::default(),
            ajv_compile: Samples::default(),
            node_parts: parts.into(),
        }
    }
}

impl Times {
    fn ratios(&self) -> (f64, f64) {
        let cold = self.ours_cold.median() / self.node_cold.median();
        (self.ours_warm.median() / self.node_warm.median(), cold)
    }

    fn to_json(&self, bench: &Bench, answers: &(Value, Value), load: [f64; 2]) -> Value {
        let (warm, cold) = self.ratios();
        let parts: serde_json::Map<String, Value> =
            self.node_parts.iter().map(|(part, samples)| ((*part).to_owned(), samples.to_json())).collect();
        json!({
            "map": {
                "bytes": bench.map_bytes,
                "tools": bench.tools,
                "slots": answers.1["slots"],
                "findings": answers.0["findings"],
                "errors": answers.0["errors"],
            },
            "rounds": ROUNDS,
            "load_average": load.map(rounded),
            "warm": { "ours": self.ours_warm.to_json(), "node": self.node_warm.to_json(), "ratio": rounded(warm) },
            "cold": { "ours": self.ours_cold.to_json(), "node": self.node_cold.to_json(), "ratio": rounded(cold) },
            "node_parts_warm": parts,
            "not_counted": { "ajv.compile": self.ajv_compile.to_json() },
            "goal": { "ratio_at_most": GOAL, "met": warm <= GOAL && cold <= GOAL },
        })
    }

    fn print(&self, bench: &Bench, load: [f64; 2]) {
        let (warm, cold) = self.ratios();
        println!(
            "\nA map of {} KB with {} tools, {ROUNDS} rounds, load {:.1} to {:.1}; milliseconds\n",
            bench.map_bytes / 1000,
            bench.tools,
            load[0],
            load[1],
        );
        println!("| | ours, median | p95 | node, median | p95 | ratio |");
        println!("| --- | ---: | ---: | ---: | ---: | ---: |");
        for (name, ours, node, ratio) in [
            ("warm", &self.ours_warm, &self.node_warm, warm),
            ("cold", &self.ours_cold, &self.node_cold, cold),
        ] {
            let (ours, ours_p95) = (ours.median(), ours.p95());
            let (node, node_p95) = (node.median(), node.p95());
            println!("| {name} | {ours:.1} | {ours_p95:.1} | {node:.1} | {node_p95:.1} | {ratio:.2} |");
        }
        let parts = self.node_parts.iter().map(|(part, samples)| format!("{part} {:.1}", samples.median()));
        println!("\nnode, warm: {}", parts.collect::<Vec<_>>().join(", "));
        println!("node, not counted: ajv.compile {:.1}", self.ajv_compile.median());
        println!(
            "goal: a ratio of at most {GOAL}, {}",
            if warm <= GOAL && cold <= GOAL { "met" } else { "missed" }
        );
    }
}
