//! `cargo xtask fuzz`: a campaign of the crate `workshop`. Maps are validated in a release build; expressions are
//! evaluated in a debug build, in which arithmetic that overflows panics.

use crate::{
    command_line::CommandLine,
    failure::Failure,
    program::{Program, target},
};

/// Passes the arguments on; reproducers go to the folder `fuzz` where cargo builds.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    match arguments.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        Some(("expr", rest)) => compare_expressions(rest),
        Some(("expensive", rest)) => in_release("fuzz-expensive", rest),
        Some((parser, _)) if !parser.starts_with("--") => {
            let all = ["fuzz-parsers".to_owned()].into_iter().chain(arguments.iter().cloned());
            Program::build("workshop")?.command(all).run_reporting()
        }
        _ => in_release("fuzz", arguments),
    }
}

fn in_release(task: &str, arguments: &[String]) -> Result<(), Failure> {
    let folder = target()?.join("fuzz").display().to_string();
    let build =
        ["run", "--release", "--quiet", "--package", "actions-workshop", "--", task, "--folder", &folder];
    let all = build.into_iter().map(str::to_owned).chain(arguments.iter().cloned());
    CommandLine::cargo(all).run()
}

/// `cargo xtask fuzz expr`: compares our evaluation with jsonata.js, which goes to the folder `jsonata`.
fn compare_expressions(arguments: &[String]) -> Result<(), Failure> {
    let folder = target()?.join("jsonata").display().to_string();
    let all =
        ["fuzz-expr".to_owned(), "--folder".to_owned(), folder].into_iter().chain(arguments.iter().cloned());
    Program::build("workshop")?.command(all).run_reporting()
}
