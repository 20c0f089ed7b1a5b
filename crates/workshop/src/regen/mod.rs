//! `cargo xtask regen`: tables in documents that come from code.
//!
//! A document says `<!-- generated: NAME -->`, and everything up to `<!-- end of generated -->` is the text of the
//! generator of that name.

mod document;
mod error_codes;
mod exit_codes;
mod primitives;
mod rules;
mod table;

use std::{fs, path::PathBuf};

use document::Document;

use crate::failure::Failure;

/// Makes one text from code.
struct Generator {
    name: &'static str,
    text: fn() -> String,
}

const GENERATORS: &[Generator] = &[
    Generator { name: "primitives", text: primitives::text },
    Generator { name: "rules", text: rules::text },
    Generator { name: "exit codes", text: exit_codes::text },
    Generator { name: "error codes", text: error_codes::text },
];

/// The documents that may have generated parts.
const DOCUMENTS: &[&str] = &["README.md", "CONTRIBUTING.md"];

/// Rewrites what is stale, or with `--check` only tells.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    match arguments {
        [] => write(),
        [only] if only == "--check" => check(),
        [first, ..] => Err(Failure::unknown_argument(first, "cargo xtask regen [--check]")),
    }
}

/// Fails when a document differs from what the code says.
fn check() -> Result<(), Failure> {
    let stale: Vec<String> = stale()?.into_iter().map(|document| document.name.to_owned()).collect();
    if stale.is_empty() {
        println!("    {} are up to date", DOCUMENTS.join(", "));
        return Ok(());
    }
    Err(Failure::Stale { files: stale })
}

fn write() -> Result<(), Failure> {
    for document in stale()? {
        let path = PathBuf::from(document.name);
        fs::write(&path, document.text).map_err(|source| Failure::File { path, source })?;
        println!("    {} is rewritten", document.name);
    }
    Ok(())
}

/// The documents that differ from what the code says, as they should be.
fn stale() -> Result<Vec<Document>, Failure> {
    let mut stale = Vec::new();
    for name in DOCUMENTS {
        let path = PathBuf::from(name);
        let text =
            fs::read_to_string(&path).map_err(|source| Failure::File { path: path.clone(), source })?;
        let fresh = document::regenerate(&text, generate)
            .map_err(|source| Failure::Marker { path, source: source.into() })?;
        if fresh != text {
            stale.push(Document { name, text: fresh });
        }
    }
    Ok(stale)
}

fn generate(name: &str) -> Option<String> {
    GENERATORS.iter().find(|generator| generator.name == name).map(|generator| (generator.text)())
}
