//! What a contributor types: `cargo xtask TASK`. One file per task, and this table.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a task talks to the person who typed it")]

mod apps;
mod bench;
mod command_line;
mod demo;
mod docs;
mod failure;
mod fuzz;
mod hold;
mod program;
mod recorded_maps;
mod rounds;
mod scale;
mod setup;
mod soak;
mod test;
mod workshop;
mod workspace;

use std::process::ExitCode;

use failure::Failure;

/// One thing a contributor can ask for.
struct Task {
    name: &'static str,
    arguments: &'static str,
    summary: &'static str,
    run: fn(&[String]) -> Result<(), Failure>,
}

const TASKS: &[Task] = &[
    Task {
        name: "test",
        arguments: "[PART…]",
        summary: "Runs everything that CI runs, or only the parts named.",
        run: test::run,
    },
    Task { name: "demo", arguments: "", summary: "Runs a tour of the commands.", run: demo::run },
    Task {
        name: "setup",
        arguments: "",
        summary: "Installs what is missing on this machine.",
        run: setup::run,
    },
    Task {
        name: "regen",
        arguments: "[--check]",
        summary: "Rewrites the generated parts of documents, or lists those that are stale.",
        run: workshop::regen,
    },
    Task {
        name: "docs",
        arguments: "",
        summary: "Checks the links of all documents and builds the book.",
        run: docs::run,
    },
    Task {
        name: "record",
        arguments: "",
        summary: "Records the example sites again.",
        run: workshop::record,
    },
    Task {
        name: "fuzz",
        arguments: "[expr|expensive|parsers] [--executions N] [--seed S]",
        summary: "Validates generated maps, or attacks expressions, limits or every parser.",
        run: fuzz::run,
    },
    Task {
        name: "soak",
        arguments: "",
        summary: "Kills browsers, engines and commands many times, and measures how soon that is noticed.",
        run: soak::run,
    },
    Task {
        name: "hold",
        arguments: "",
        summary: "Attacks pages, browsers and commands many times, and measures how well they are held.",
        run: hold::run,
    },
    Task {
        name: "scale",
        arguments: "",
        summary: "Checks 500 maps at once, and measures the memory of the command and its browser.",
        run: scale::run,
    },
    Task {
        name: "bench",
        arguments: "[NAME…]",
        summary: "Compares our times with those of other libraries.",
        run: bench::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, arguments)) = arguments.split_first() else {
        print!("{}", usage());
        return ExitCode::SUCCESS;
    };
    let Some(task) = TASKS.iter().find(|task| task.name == name) else {
        eprintln!("There is no task `{name}`.\n\n{}", usage());
        return ExitCode::from(2);
    };
    match (task.run)(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !matches!(failure, Failure::Reported { .. }) {
                eprintln!("\n{failure}");
            }
            failure.exit()
        }
    }
}

fn usage() -> String {
    let call = |task: &Task| format!("{} {}", task.name, task.arguments).trim_end().to_owned();
    let width = TASKS.iter().map(|task| call(task).chars().count()).max().unwrap_or(0);
    let lines: String =
        TASKS.iter().map(|task| format!("  {:width$}  {}\n", call(task), task.summary)).collect();
    format!("cargo xtask TASK\n\n{lines}")
}
