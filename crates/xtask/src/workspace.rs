//! Where things are.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use crate::{command_line::CommandLine, failure::Failure};

/// The top level of the repository.
pub(crate) fn root() -> PathBuf {
    let here =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    here.ancestors().nth(2).map_or_else(|| here.clone(), PathBuf::from)
}

/// The folder cargo builds into, wherever the person has put it.
pub(crate) fn target() -> Result<PathBuf, Failure> {
    let metadata = CommandLine::cargo(["metadata", "--no-deps", "--format-version", "1"]).output()?;
    let metadata: serde_json::Value = serde_json::from_slice(&metadata).unwrap_or_default();
    let target = metadata["target_directory"].as_str().ok_or(Failure::Metadata("target_directory"))?;
    Ok(PathBuf::from(target))
}

/// Whether a program can be found on the search path.
pub(crate) fn has_program(name: &str) -> bool {
    env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(name).is_file()))
}

/// Writes a file, and the folders it is in where they are missing.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    folder
        .and_then(|()| fs::write(path, bytes))
        .map_err(|source| Failure::File { path: path.to_owned(), source })
}
