//! `cargo xtask fuzz`: validates a great many generated maps and reports every property that does not hold.

mod arguments;
mod giants;
mod supervisor;
mod worker;

use std::{fs, io, path::Path};

use actions_workshop::fuzz::Judge;

use crate::failure::Failure;
use arguments::{Arguments, USAGE};

/// The name of the task: a campaign runs this program again, once for each of its processes.
pub(crate) const TASK: &str = "fuzz";

/// Runs a campaign, one process of it, or a single file, as the arguments say.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let parsed = Arguments::parse(arguments.iter().cloned())
        .map_err(|error| Failure::Usage { message: error.to_string(), usage: USAGE })?;
    let holds = match parsed {
        Arguments::Campaign(campaign) => supervisor::run(&campaign),
        Arguments::Work { campaign, share } => worker::run(&campaign, share),
        Arguments::Giants(size) => giants::run(size),
        Arguments::Judge(file) => judge(&file),
    };
    if holds.map_err(Failure::Fuzz)? { Ok(()) } else { Err(Failure::Breach) }
}

/// Validates one file; true when every property holds.
fn judge(file: &Path) -> io::Result<bool> {
    let breach = Judge::new().judge(&fs::read(file)?);
    match &breach {
        None => println!("every property holds"),
        Some(breach) => println!("{breach}"),
    }
    Ok(breach.is_none())
}
