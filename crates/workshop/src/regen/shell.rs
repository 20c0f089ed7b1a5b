//! Runs the commands that documents show, in a scratch folder that looks like the top level of the repository.

use std::env;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::document::PartError;

/// The folders that the commands in documents refer to.
const LINKED: &[&str] = &["docs", "fixtures", "sites"];

/// A scratch folder and a search path with the `actions` that was built beside this program.
pub(super) struct Shell {
    folder: TempDir,
    path: String,
}

impl Shell {
    pub(super) fn new() -> Result<Self, PartError> {
        let failed = |path: &Path| {
            let path = path.display().to_string();
            |source| PartError::File { path, source }
        };
        let folder = tempfile::tempdir().map_err(failed(&env::temp_dir()))?;
        let root = env::current_dir().map_err(failed(Path::new(".")))?;
        for name in LINKED {
            symlink(root.join(name), folder.path().join(name)).map_err(failed(Path::new(name)))?;
        }
        let program = env::current_exe().unwrap_or_default();
        let programs = program.parent().map(Path::to_path_buf).unwrap_or_default();
        let path = format!("{}:{}", programs.display(), env::var("PATH").unwrap_or_default());
        Ok(Self { folder, path })
    }

    /// Returns everything a command prints on both streams, as a person without a terminal would see it.
    pub(super) fn run(&self, command: &str) -> Result<String, PartError> {
        let output = Command::new("sh")
            .args(["-uc", &format!("exec 2>&1\n{command}")])
            .current_dir(self.folder.path())
            .env("PATH", &self.path)
            .env("HOME", self.folder.path())
            .env("NO_COLOR", "1")
            .env("COLUMNS", "100")
            .env_remove("ACTIONS_LOG")
            .stdin(Stdio::null())
            .output()
            .map_err(|source| PartError::NotStarted { command: command.to_owned(), source })?;
        let text = String::from_utf8_lossy(&output.stdout);
        // Whether the sandbox works depends on the machine.
        Ok(text.split_inclusive('\n').filter(|line| !line.starts_with("note: Chromium")).collect())
    }
}
