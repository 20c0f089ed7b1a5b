//! `cargo xtask docs`: checks the links of all documents and builds the book with mdBook.

mod links;
mod markdown;

use std::path::PathBuf;

use crate::{command_line::CommandLine, failure::Failure, program::target, workspace::root};

const MDBOOK: &str = "mdbook";

/// Releases of mdBook differ in what they accept and produce, so one is pinned.
const MDBOOK_VERSION: &str = "0.4.52";

/// Checks the links, then builds the book; installs mdBook if it is missing.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(argument) = arguments.first() {
        return Err(Failure::Usage(argument.clone(), "`docs` takes none".to_owned()));
    }
    links::check()?;
    let mdbook = mdbook()?;
    if !mdbook.is_file() {
        println!("    mdBook {MDBOOK_VERSION} is not in target/tools yet");
        let install = install(&mdbook);
        if install.run().is_err() {
            println!("    mdBook could not be installed; without a network, only the links can be checked");
            return Err(Failure::Missing { what: MDBOOK, remedy: install.to_string() });
        }
    }
    build(&mdbook)
}

/// Checks the links, and builds the book if mdBook is installed: `cargo xtask test` installs nothing this slow.
pub(crate) fn check() -> Result<(), Failure> {
    links::check()?;
    let mdbook = mdbook()?;
    if mdbook.is_file() {
        return build(&mdbook);
    }
    println!("    the book is not built; `cargo xtask docs` installs mdBook and builds it");
    Ok(())
}

fn mdbook() -> Result<PathBuf, Failure> {
    Ok(target()?.join("tools/bin").join(MDBOOK))
}

fn install(mdbook: &std::path::Path) -> CommandLine {
    let tools = mdbook.ancestors().nth(2).unwrap_or(mdbook).display().to_string();
    let what = ["install", MDBOOK, "--version", MDBOOK_VERSION, "--locked", "--no-default-features"];
    CommandLine::cargo(what.into_iter().chain(["--root", &tools]))
}

fn build(mdbook: &std::path::Path) -> Result<(), Failure> {
    let (book, to) = (root().join("docs"), target()?.join("book"));
    let (book, to) = (book.display().to_string(), to.display().to_string());
    CommandLine::at(mdbook, ["build", &book, "--dest-dir", &to]).run()?;
    println!("    the book is in {to}/index.html");
    Ok(())
}
