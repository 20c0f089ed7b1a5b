//! The tasks that need the library itself. They are in the crate `workshop`, so that this one is built in seconds.

use crate::{failure::Failure, program::Program};

/// `cargo xtask regen`: the generated parts of documents; commands are run by the `actions` beside the workshop.
pub(crate) fn regen(arguments: &[String]) -> Result<(), Failure> {
    Program::build("actions")?;
    pass_on("regen", arguments)
}

/// `cargo xtask record`: the recordings of the example sites, made by the `actions` beside the workshop.
pub(crate) fn record(arguments: &[String]) -> Result<(), Failure> {
    Program::build("actions")?;
    pass_on("record", arguments)
}

fn pass_on(task: &str, arguments: &[String]) -> Result<(), Failure> {
    let arguments = [task.to_owned()].into_iter().chain(arguments.iter().cloned());
    Program::build("workshop")?.command(arguments).run_reporting()
}
