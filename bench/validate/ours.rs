//! The validation benchmark with `actions_manifest::validate`. Each line on standard input starts one round, which prints
//! one line of JSON.
//!
//!     bench_validate MAP
#![allow(clippy::print_stdout, reason = "it answers on standard output")]

use std::io::{self, BufRead};
use std::time::Instant;

use actions_manifest::{Options, Severity, read_file, validate};
use serde_json::json;

fn main() -> io::Result<()> {
    let file = std::env::args().nth(1).ok_or_else(|| io::Error::other("the map is missing"))?;
    let bytes = read_file(file.as_ref())?;
    println!("{}", json!({ "ready": {} }));
    for line in io::stdin().lock().lines() {
        line?;
        let start = Instant::now();
        let validation = validate(&file, &bytes, &Options::default());
        let ms = start.elapsed().as_secs_f64() * 1000.0;
        let errors = validation.count(Severity::Error);
        println!("{}", json!({ "ms": ms, "findings": validation.findings.len(), "errors": errors }));
    }
    Ok(())
}
