//! `cargo xtask test`: everything that CI runs, the quickest to fail first.

use std::time::{Duration, Instant};

use crate::{
    apps,
    command_line::CommandLine,
    demo, docs,
    failure::Failure,
    program::{Program, target},
    setup, workshop,
    workspace::{has_program, root},
};

/// One part of the whole.
struct Part {
    name: &'static str,
    run: fn() -> Result<Outcome, Failure>,
}

enum Outcome {
    Done,
    /// The part does not apply here, with the reason.
    Skipped(&'static str),
}

const PARTS: &[Part] = &[
    Part { name: "setup", run: || setup::run(&[]).map(|()| Outcome::Done) },
    Part { name: "formatting", run: formatting },
    Part { name: "docs", run: || docs::check().map(|()| Outcome::Done) },
    Part { name: "page-script", run: page_script },
    Part { name: "lints", run: lints },
    Part { name: "rustdoc", run: rustdoc },
    Part { name: "packages", run: packages },
    Part { name: "apps", run: || Ok(apps::install()?.map_or(Outcome::Done, Outcome::Skipped)) },
    Part { name: "tests", run: tests },
    // What these need has been built for the tests.
    Part { name: "generated", run: || workshop::regen(&["--check".to_owned()]).map(|()| Outcome::Done) },
    Part { name: "sites", run: sites },
    Part { name: "cases", run: cases },
    Part { name: "doctests", run: doctests },
    Part { name: "demo", run: || demo::run(&[]).map(|()| Outcome::Done) },
];

/// Runs all parts, or those that are named, and stops at the first that fails.
pub(crate) fn run(names: &[String]) -> Result<(), Failure> {
    if let Some(name) = names.iter().find(|name| PARTS.iter().all(|part| part.name != name.as_str())) {
        let known: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        return Err(Failure::Usage(name.clone(), format!("the parts are {}", known.join(", "))));
    }
    let parts: Vec<&Part> =
        PARTS.iter().filter(|part| names.is_empty() || names.iter().any(|name| name == part.name)).collect();
    let mut summary = String::new();
    for (index, part) in parts.iter().enumerate() {
        println!("[{}/{}] {}", index + 1, parts.len(), part.name);
        let start = Instant::now();
        let outcome = (part.run)();
        let took = start.elapsed();
        summary += &match outcome {
            Ok(Outcome::Done) => format!("    {:<12} {:>7.1} s\n", part.name, took.as_secs_f64()),
            Ok(Outcome::Skipped(reason)) => {
                println!("    skipped: {reason}");
                format!("    {:<12} skipped: {reason}\n", part.name)
            }
            Err(source) => return Err(failed(part.name, took, source)),
        };
    }
    println!("\nAll is well:\n{summary}");
    Ok(())
}

fn failed(part: &'static str, after: Duration, source: Failure) -> Failure {
    Failure::Part { part, after, source: Box::new(source) }
}

fn formatting() -> Result<Outcome, Failure> {
    done(CommandLine::cargo(["fmt", "--all", "--check"]))
}

fn lints() -> Result<Outcome, Failure> {
    let arguments = ["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"];
    done(CommandLine::cargo(arguments))
}

/// nextest runs each test in its own process, and ends and names one that hangs. Plain `cargo test` is on every machine.
/// There, one test runs at a time, because some tests count the files that their process has open.
fn tests() -> Result<Outcome, Failure> {
    if has_program("cargo-nextest") {
        return done(CommandLine::cargo(["nextest", "run", "--workspace", "--all-features"]));
    }
    println!("    one test at a time; several with `cargo install cargo-nextest --locked`");
    let targets = ["--lib", "--bins", "--tests", "--examples"];
    let arguments = ["test", "--workspace", "--all-features", "--no-fail-fast"].into_iter().chain(targets);
    done(CommandLine::cargo(arguments).with_variable("RUST_TEST_THREADS", "1"))
}

fn doctests() -> Result<Outcome, Failure> {
    done(CommandLine::cargo(["test", "--workspace", "--all-features", "--doc"]))
}

fn rustdoc() -> Result<Outcome, Failure> {
    let doc = CommandLine::cargo(["doc", "--workspace", "--all-features", "--no-deps"]);
    done(doc.with_variable("RUSTDOCFLAGS", "-D warnings"))
}

/// Packages every crate. The packages are not built again: what breaks is a missing version, or a file outside a crate.
fn packages() -> Result<Outcome, Failure> {
    let arguments = ["package", "--workspace", "--no-verify", "--allow-dirty", "--offline", "--quiet"];
    done(CommandLine::cargo(arguments))
}

/// The maps of the repository have no errors and no warnings.
fn sites() -> Result<Outcome, Failure> {
    done(Program::build("actions")?.command(["validate", "--deny-warnings", "sites"]))
}

/// The cases of the maps of the repository come out as they are expected to.
fn cases() -> Result<Outcome, Failure> {
    done(Program::build("actions")?.command(["test", "sites", "--quiet"]))
}

/// Checks the types of the page script. Nothing that is built needs Node, so its absence is no failure.
fn page_script() -> Result<Outcome, Failure> {
    const PROJECT: &str = "crates/browser/js/tsconfig.json";
    const COMPILER: &str = "typescript@5.9.3";
    if !root().join(PROJECT).is_file() {
        return Ok(Outcome::Skipped("there is no page script"));
    }
    if !has_program("node") || !has_program("npm") {
        return Ok(Outcome::Skipped("node is not installed"));
    }
    let folder = target()?.join("typescript");
    let prefix = folder.display().to_string();
    let compiler = folder.join("node_modules/.bin/tsc");
    if !compiler.is_file() {
        let install = ["install", "--prefix", &prefix, "--no-save", "--no-audit", "--no-fund", COMPILER];
        CommandLine::new("npm", install).run()?;
    }
    done(CommandLine::at(&compiler, ["--noEmit", "--project", PROJECT]))
}

fn done(command: CommandLine) -> Result<Outcome, Failure> {
    command.run().map(|()| Outcome::Done)
}
