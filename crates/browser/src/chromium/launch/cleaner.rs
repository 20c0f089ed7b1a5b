//! A small process that removes the folder of a browser if our process is killed.

use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Waits until its standard input ends, which our process holds open, and removes the folder. The browser is being killed
/// at that moment and may still write, so it tries for some seconds.
const SCRIPT: &str = r#"trap '' HUP INT TERM
read -r _
tries=100
while [ -e "$ACTIONS_CLEANS" ] && [ "$tries" -gt 0 ]; do
  rm -rf -- "$ACTIONS_CLEANS"
  tries=$((tries - 1))
  sleep 0.1
done"#;

/// The process. It begins to clean when this value is dropped or its owner is killed.
#[derive(Debug)]
pub(super) struct Cleaner(Child);

impl Cleaner {
    /// Starts the process, in a group of its own: a signal to the group of its owner does not end it.
    pub(super) fn start(folder: &Path) -> io::Result<Self> {
        use std::os::unix::process::CommandExt;
        let mut command = Command::new("/bin/sh");
        // The folder is no argument: the command lines that name it are those of its browser.
        command.args(["-c", SCRIPT]).env("ACTIONS_CLEANS", folder).current_dir("/").process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(Self)
    }

    /// Ends the process: the folder is gone.
    pub(super) fn dismiss(mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn a_folder_is_removed_when_its_owner_lets_go_and_kept_until_then() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("it's a $HOME");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("file"), "x").unwrap();
        let mut cleaner = Cleaner::start(&folder).unwrap();
        std::thread::sleep(Duration::from_millis(100));
        assert!(folder.join("file").exists());
        drop(cleaner.0.stdin.take());
        cleaner.0.wait().unwrap();
        assert!(!folder.exists());
    }

    #[test]
    fn a_dismissed_cleaner_removes_nothing() {
        let root = tempfile::tempdir().unwrap();
        let begun = Instant::now();
        Cleaner::start(root.path()).unwrap().dismiss();
        assert!(root.path().exists());
        assert!(begun.elapsed() < Duration::from_secs(10));
    }
}
