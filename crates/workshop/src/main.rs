//! The tasks of a contributor that need the library itself. `cargo xtask` builds this program when it is asked for one
//! of them, and runs it at the top level of the repository.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a task talks to the person who typed it")]

mod campaign;
mod expensive;
mod expressions;
mod failure;
mod large_map;
mod parsers;
mod record;
mod regen;

use std::process::ExitCode;

use failure::Failure;

/// One thing `cargo xtask` passes on.
struct Task {
    name: &'static str,
    run: fn(&[String]) -> Result<(), Failure>,
}

const TASKS: &[Task] = &[
    Task { name: "regen", run: regen::run },
    Task { name: "record", run: record::run },
    Task { name: "large-map", run: large_map::run },
    Task { name: campaign::TASK, run: campaign::run },
    Task { name: expressions::TASK, run: expressions::run },
    Task { name: expensive::TASK, run: expensive::run },
    Task { name: parsers::TASK, run: parsers::run },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let task = arguments.split_first().and_then(|(name, arguments)| {
        let task = TASKS.iter().find(|task| task.name == name)?;
        Some((task, arguments))
    });
    let Some((task, arguments)) = task else {
        let names: Vec<&str> = TASKS.iter().map(|task| task.name).collect();
        eprintln!("workshop TASK; the tasks are {}", names.join(", "));
        return ExitCode::from(2);
    };
    match (task.run)(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("\n{failure}");
            failure.exit()
        }
    }
}
