//! One flow and one large page through our MCP server and through those of other browser tools: see bench/README.md.

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

const ROUNDS: usize = 5;

const PEERS: [&str; 4] = ["ours", "playwright-mcp", "chrome-devtools-mcp", "agent-browser"];

/// What a model has to read, and the most that ours may have.
const BYTES: [(&str, &str, u64); 3] = [
    ("list_bytes", "tools/list", 4_096),
    ("flow_bytes", "the flow", 1_024),
    ("page_bytes", "the page", 2_048),
];

/// What is timed.
const TIMES: [(&str, &str); 2] = [("flow_ms", "the flow"), ("page_ms", "the page")];

/// Measures every server, interleaved, and writes bench/results/mcp.json.
pub(crate) fn run() -> Result<(), Failure> {
    peers::install("bench/mcp")?;
    CommandLine::cargo(["build", "--release", "--quiet", "--package", "actions-cli"]).run()?;
    let program = target()?.join("release/actions");
    let mut racer =
        Racer::start("mcp", Command::new("node").arg(root().join("bench/mcp/compare.mjs")).arg(program))?;
    let load = load_average();
    let mut last = vec![Value::Null; PEERS.len()];
    let mut times: Vec<[Samples; TIMES.len()]> = PEERS.iter().map(|_| Default::default()).collect();
    for _ in 0..ROUNDS {
        for (at, name) in PEERS.iter().enumerate() {
            let answer = racer.perform(name)?;
            for (samples, (key, _)) in times[at].iter_mut().zip(TIMES) {
                samples.add(answer[key].as_f64().unwrap_or(f64::NAN));
            }
            last[at] = answer;
        }
    }
    let load = [load, load_average()];
    let servers: Map<String, Value> = PEERS
        .iter()
        .zip(last.iter().zip(&times))
        .map(|(name, (answer, times))| ((*name).to_owned(), server(answer, times)))
        .collect();
    let within =
        BYTES.iter().all(|(key, _, most)| last[0][*key].as_u64().is_some_and(|bytes| bytes <= *most));
    let is_as_fast = times[0][0].median() <= times[3][0].median();
    let result = json!({
        "rounds": ROUNDS, "executable": racer.ready["chromium"], "load_average": load.map(rounded),
        "servers": servers, "goal": { "bytes": within, "flow_not_slower_than_agent_browser": is_as_fast },
    });
    write(&root().join("bench/results/mcp.json"), format!("{result:#}\n").as_bytes())?;
    println!(
        "\n{ROUNDS} rounds, load {:.1} to {:.1}; bytes, and medians in milliseconds\n",
        load[0], load[1]
    );
    println!("| | {} |", PEERS.join(" | "));
    println!("| --- | ---: | ---: | ---: | ---: |");
    for (key, about, _) in BYTES {
        let cells: Vec<String> = last.iter().map(|answer| answer[key].to_string()).collect();
        println!("| bytes of {about} | {} |", cells.join(" | "));
    }
    for (at, (_, about)) in TIMES.iter().enumerate() {
        let cells: Vec<String> = times.iter().map(|times| format!("{:.0}", times[at].median())).collect();
        println!("| time of {about} | {} |", cells.join(" | "));
    }
    Ok(())
}

fn server(answer: &Value, times: &[Samples; TIMES.len()]) -> Value {
    let mut server = json!({ "tools": answer["tools"] });
    for (key, ..) in BYTES {
        server[key] = answer[key].clone();
    }
    for (samples, (key, _)) in times.iter().zip(TIMES) {
        server[key] = samples.to_json();
    }
    server
}
