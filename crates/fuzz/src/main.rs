//! `cargo xtask fuzz`: puts a great many made-up maps before the validator.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it talks to the person who runs it")]

mod arguments;
mod giants;
mod supervisor;
mod worker;

use std::process::ExitCode;

use actions_fuzz::Judge;
use arguments::Arguments;

fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("{error}\n\n{}", Arguments::USAGE);
            return ExitCode::from(2);
        }
    };
    let outcome = match &arguments {
        Arguments::Campaign(campaign) => supervisor::run(campaign),
        Arguments::Work { campaign, share } => worker::run(campaign, *share),
        Arguments::Giants(size) => giants::run(*size),
        Arguments::Judge(file) => judge(file),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(70)
        }
    }
}

/// Puts one file before the validator; true when every property holds.
fn judge(file: &std::path::Path) -> std::io::Result<bool> {
    let breach = Judge::new().judge(&std::fs::read(file)?);
    match &breach {
        None => println!("every property holds"),
        Some(breach) => println!("{breach}"),
    }
    Ok(breach.is_none())
}
