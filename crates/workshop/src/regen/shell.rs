//! Runs the commands that documents show, in a scratch folder that looks like the top level of the repository.

use std::env;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::document::PartError;

/// The folders that the commands in documents refer to.
const LINKED: &[&str] = &["bench", "docs", "fixtures", "sites"];

/// The folder of background sessions.
const RUNTIME: &str = ".runtime";

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
        let runtime = folder.path().join(RUNTIME);
        std::fs::create_dir(&runtime).map_err(failed(&runtime))?;
        Ok(Self { folder, path })
    }

    /// Returns everything a command prints on both streams, as a person without a terminal would see it.
    pub(super) fn run(&self, command: &str) -> Result<String, PartError> {
        let output = Command::new("sh")
            .args(["-uc", &format!("exec 2>&1\n{command}")])
            .current_dir(self.folder.path())
            .env("PATH", &self.path)
            .env("HOME", self.folder.path())
            .env("XDG_RUNTIME_DIR", self.folder.path().join(RUNTIME))
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

/// Ends the sessions that commands started and did not end.
impl Drop for Shell {
    fn drop(&mut self) {
        // A document without sessions has none to end.
        let _ = self.run("actions session stop --all --quiet");
    }
}
