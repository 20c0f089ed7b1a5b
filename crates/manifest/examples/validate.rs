//! A validator in thirty lines: `cargo run -p actions-manifest --example validate -- FILE…`
//!
//! It shows how another program validates maps without a browser: read, validate, show every finding with its place.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to the person who runs it")]

use std::{env, path::Path, process::ExitCode};

use actions_manifest::{Files, Options, read_file, validate};

fn main() -> ExitCode {
    let mut rejected = false;
    for file in env::args().skip(1) {
        let bytes = match read_file(Path::new(&file)) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("{file}: {error}");
                rejected = true;
                continue;
            }
        };
        let validation =
            validate(&file, &bytes, &Options { imports: &Files::of(&file), ..Options::default() });
        for finding in &validation.findings {
            let (place, severity, code) = (finding.position(), finding.severity.as_str(), finding.rule.code);
            println!("{file}:{}:{}: {severity} {code}: {}", place.line, place.column, finding.message);
            if let Some(help) = &finding.help {
                println!("    help: {help}");
            }
        }
        match validation.manifest {
            Some(_) => println!("{file}: valid"),
            None => rejected = true,
        }
    }
    if rejected { ExitCode::from(3) } else { ExitCode::SUCCESS }
}
