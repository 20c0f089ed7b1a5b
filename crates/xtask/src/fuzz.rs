//! `cargo xtask fuzz`: a campaign of the crate `workshop`, in a release build.

use crate::{command_line::CommandLine, failure::Failure, program::target};

/// Passes the arguments on; reproducers go to the folder `fuzz` where cargo builds.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let folder = target()?.join("fuzz").display().to_string();
    let build =
        ["run", "--release", "--quiet", "--package", "actions-workshop", "--", "fuzz", "--folder", &folder];
    let all = build.into_iter().map(str::to_owned).chain(arguments.iter().cloned());
    CommandLine::cargo(all).run()
}
