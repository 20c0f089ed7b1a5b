//! `cargo xtask bench NAME`: compares us with other libraries in one run, and records the load of the machine.

mod bridge;
mod browser;
mod drift;
mod load;
mod mcp;
mod peers;
mod projection;
mod racer;
mod samples;
mod session;
mod validate;
mod workflow;

pub(crate) use load::load_average;

use crate::failure::Failure;

/// One comparison.
struct Benchmark {
    name: &'static str,
    run: fn() -> Result<(), Failure>,
}

const BENCHMARKS: &[Benchmark] = &[
    Benchmark { name: "validate", run: validate::run },
    Benchmark { name: "browser", run: browser::run },
    Benchmark { name: "projection", run: projection::run },
    Benchmark { name: "workflow", run: workflow::run },
    Benchmark { name: "check", run: drift::check },
    Benchmark { name: "cases", run: drift::cases },
    Benchmark { name: "mcp", run: mcp::run },
    Benchmark { name: "session", run: session::run },
    Benchmark { name: "bridge", run: bridge::run },
];

/// Runs the benchmarks that are named, or all of them.
pub(crate) fn run(names: &[String]) -> Result<(), Failure> {
    if let Some(name) = names.iter().find(|name| BENCHMARKS.iter().all(|known| known.name != name.as_str())) {
        let known: Vec<&str> = BENCHMARKS.iter().map(|benchmark| benchmark.name).collect();
        return Err(Failure::Usage(name.clone(), format!("the benchmarks are {}", known.join(", "))));
    }
    let wanted = |benchmark: &&Benchmark| names.is_empty() || names.iter().any(|name| name == benchmark.name);
    BENCHMARKS.iter().filter(wanted).try_for_each(|benchmark| (benchmark.run)())
}
