//! `cargo xtask regen`: the parts of documents that come from code or from running a command.
//!
//! A document says `<!-- generated: NAME -->`, and everything up to `<!-- end of generated -->` is the text of the
//! generator of that name. Two names have a meaning of their own: `console` runs the commands in the present text
//! again, and `file PATH` is the content of a file.

mod commands;
mod console;
mod document;
mod error_codes;
mod exit_codes;
mod file;
mod primitive_details;
mod primitives;
mod rule_stories;
mod rules;
mod shell;
mod table;

use std::{
    fs,
    path::{Path, PathBuf},
};

use document::{Document, PartError};
use shell::Shell;

use crate::failure::Failure;

/// Makes one text from code.
struct Generator {
    name: &'static str,
    text: fn() -> String,
}

const GENERATORS: &[Generator] = &[
    Generator { name: "primitives", text: primitives::text },
    Generator { name: "primitive details", text: primitive_details::text },
    Generator { name: "rules", text: rules::text },
    Generator { name: "rule stories", text: rule_stories::text },
    Generator { name: "exit codes", text: exit_codes::text },
    Generator { name: "error codes", text: error_codes::text },
];

/// The documents that may have generated parts, besides every Markdown file of the book.
const DOCUMENTS: &[&str] = &["README.md", "CONTRIBUTING.md"];

/// The folder of the book.
const BOOK: &str = "docs";

/// Rewrites the parts that are out of date, or with `--check` only reports them.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    match arguments {
        [] => write(),
        [only] if only == "--check" => check(),
        [first, ..] => Err(Failure::unknown_argument(first, "cargo xtask regen [--check]")),
    }
}

/// Fails if a document differs from what the code says.
fn check() -> Result<(), Failure> {
    let stale: Vec<String> = stale()?.into_iter().map(|document| document.name).collect();
    if stale.is_empty() {
        println!("    {} and {BOOK} are up to date", DOCUMENTS.join(", "));
        return Ok(());
    }
    Err(Failure::Stale { files: stale })
}

fn write() -> Result<(), Failure> {
    for document in stale()? {
        let path = PathBuf::from(&document.name);
        fs::write(&path, document.text).map_err(|source| Failure::File { path, source })?;
        println!("    {} is rewritten", document.name);
    }
    Ok(())
}

/// The documents that differ from what the code says, as they should be.
fn stale() -> Result<Vec<Document>, Failure> {
    let mut paths: Vec<PathBuf> = DOCUMENTS.iter().map(PathBuf::from).collect();
    find_pages(Path::new(BOOK), &mut paths)?;
    let mut stale = Vec::new();
    for path in paths {
        let text =
            fs::read_to_string(&path).map_err(|source| Failure::File { path: path.clone(), source })?;
        // The commands of one document share a scratch folder: a later one may read what an earlier one wrote.
        let mut shell = None;
        let fresh = document::regenerate(&text, |name, old| generate(name, old, &mut shell))
            .map_err(|source| Failure::Marker { path: path.clone(), source: source.into() })?;
        if fresh != text {
            stale.push(Document { name: path.display().to_string(), text: fresh });
        }
    }
    Ok(stale)
}

/// Adds the Markdown files below a folder, sorted by name.
fn find_pages(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failed = |source| Failure::File { path: folder.to_owned(), source };
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(failed)?;
    let mut paths: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            find_pages(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    Ok(())
}

fn generate(name: &str, old: &str, shell: &mut Option<Shell>) -> Result<String, PartError> {
    if let Some(path) = name.strip_prefix("file ") {
        return file::text(path);
    }
    if let Some(generator) = GENERATORS.iter().find(|generator| generator.name == name) {
        return Ok((generator.text)());
    }
    let shell = match shell {
        Some(shell) => shell,
        None => shell.insert(Shell::new()?),
    };
    match name {
        "console" => console::text(shell, old),
        "commands" => commands::text(shell),
        _ => Err(PartError::UnknownGenerator(name.to_owned())),
    }
}
