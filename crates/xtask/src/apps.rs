//! Installs the widget libraries of fixtures/apps from npm into target/apps, at the versions of their lock file.

use std::fs;

use crate::{
    command_line::CommandLine,
    failure::Failure,
    program::target,
    workspace::{has_program, root, write},
};

const LOCK: &str = "package-lock.json";
/// A copy of the lock file that was installed last. It is written when an installation is complete.
const INSTALLED: &str = "installed.json";

/// Installs the libraries unless they are there. Returns why they cannot be installed on this machine.
pub(crate) fn install() -> Result<Option<&'static str>, Failure> {
    let from = root().join("fixtures/apps");
    let folder = target()?.join("apps");
    let read = |path| fs::read(&path).map_err(|source| Failure::File { path, source });
    let lock = read(from.join(LOCK))?;
    if fs::read(folder.join(INSTALLED)).is_ok_and(|installed| installed == lock) {
        return Ok(None);
    }
    if !has_program("node") || !has_program("npm") {
        return Ok(Some("npm is not installed, so the fixture applications are not tested"));
    }
    write(&folder.join("package.json"), &read(from.join("package.json"))?)?;
    write(&folder.join(LOCK), &lock)?;
    let prefix = folder.display().to_string();
    let install = ["ci", "--prefix", &prefix, "--ignore-scripts", "--no-audit", "--no-fund"];
    if CommandLine::new("npm", install).run().is_err() {
        return Ok(Some("npm cannot install the libraries, so the fixture applications are not tested"));
    }
    write(&folder.join(INSTALLED), &lock)?;
    Ok(None)
}
