//! Removes profile folders, and ends browsers, that dead processes of ours left behind.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::time::{Duration, SystemTime};

use rustix::fs::{FlockOperation, flock};
use rustix::process::{Pid, Signal, kill_process};

use super::process::{ProcessIdentity, arguments};
use super::profile::{OWNER_FILE, Owner, PREFIX};

/// The age after which a folder without an owner file counts as abandoned; a younger one may still be under
/// construction.
const STILL_BEING_MADE: Duration = Duration::from_secs(600);

/// Removes the folders of dead owners under `root` and ends browsers that still run in them.
///
/// An owner is dead when its lock is free and no process has its id and start time. A browser is ended only if its id
/// and start time match the owner file and its command line names the folder.
pub(super) fn sweep(root: &Path) {
    let Ok(entries) = fs::read_dir(root) else { return };
    let ours = entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX));
    for entry in ours {
        let folder = entry.path();
        if !is_own_folder(&folder) {
            continue;
        }
        match File::open(folder.join(OWNER_FILE)) {
            Ok(owner_file) => sweep_owned(&folder, owner_file),
            Err(_) if is_old(&folder) => remove(&folder),
            Err(_) => {}
        }
    }
}

fn sweep_owned(folder: &Path, mut owner_file: File) {
    if flock(&owner_file, FlockOperation::NonBlockingLockExclusive).is_err() {
        return;
    }
    let mut text = Vec::new();
    let read = owner_file.read_to_end(&mut text).ok();
    match read.and_then(|_| serde_json::from_slice::<Owner>(&text).ok()) {
        Some(owner) if owner.owner.is_running() => return,
        Some(owner) => owner.browser.iter().for_each(|browser| end(browser, folder)),
        // The owner file is unlocked and unreadable.
        None if is_old(folder) => {}
        None => return,
    }
    remove(folder);
}

fn end(browser: &ProcessIdentity, folder: &Path) {
    let named = format!("--user-data-dir={}", folder.join("profile").display());
    let is_ours = browser.started.is_some()
        && browser.is_running()
        && arguments(browser.pid).is_some_and(|arguments| arguments.contains(&named));
    if !is_ours {
        return;
    }
    if let Some(pid) = i32::try_from(browser.pid).ok().and_then(Pid::from_raw) {
        tracing::debug!("ending the abandoned browser {}", browser.pid);
        // It may have exited on its own by now.
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// Tries once; the next sweep removes what could not be removed now.
fn remove(folder: &Path) {
    match fs::remove_dir_all(folder) {
        Ok(()) => tracing::debug!("removed the abandoned folder {}", folder.display()),
        Err(error) => tracing::debug!("cannot remove {}: {error}", folder.display()),
    }
}

/// Whether this is a real folder of this user. A symbolic link could point anywhere.
fn is_own_folder(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::symlink_metadata(folder)
        .is_ok_and(|found| found.is_dir() && found.uid() == rustix::process::geteuid().as_raw())
}

fn is_old(folder: &Path) -> bool {
    let made = fs::metadata(folder).and_then(|found| found.modified());
    made.is_ok_and(|made| SystemTime::now().duration_since(made).is_ok_and(|age| age > STILL_BEING_MADE))
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::super::profile::Profile;
    use super::*;

    fn leave_behind(root: &Path, owner: &Owner) -> std::path::PathBuf {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(root).unwrap().keep();
        fs::create_dir(folder.join("profile")).unwrap();
        fs::write(folder.join(OWNER_FILE), serde_json::to_vec(owner).unwrap()).unwrap();
        folder
    }

    #[test]
    fn the_folder_of_a_dead_owner_is_removed() {
        let root = tempfile::tempdir().unwrap();
        let dead = ProcessIdentity { pid: std::process::id(), started: Some(1) };
        let folder = leave_behind(root.path(), &Owner { owner: dead, browser: None });
        sweep(root.path());
        assert!(!folder.exists());
    }

    #[test]
    fn the_folder_of_a_living_owner_stays() {
        let root = tempfile::tempdir().unwrap();
        let profile = Profile::create(root.path()).unwrap();
        let unlocked =
            leave_behind(root.path(), &Owner { owner: ProcessIdentity::of_this_process(), browser: None });
        sweep(root.path());
        assert!(profile.folder().exists());
        assert!(unlocked.exists());
    }

    #[test]
    fn a_process_that_does_not_name_the_folder_is_never_ended() {
        let root = tempfile::tempdir().unwrap();
        let mut bystander = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let dead = ProcessIdentity { pid: std::process::id(), started: Some(1) };
        let browser = Some(ProcessIdentity::of(bystander.id()));
        let folder = leave_behind(root.path(), &Owner { owner: dead, browser });
        sweep(root.path());
        assert!(!folder.exists());
        assert!(bystander.try_wait().unwrap().is_none());
        bystander.kill().unwrap();
        bystander.wait().unwrap();
    }

    #[test]
    fn an_old_unlocked_folder_with_an_unreadable_owner_file_is_removed() {
        let root = tempfile::tempdir().unwrap();
        let [young, old, held] = ["young", "old", "held"].map(|name| {
            let folder = root.path().join(format!("{PREFIX}{name}"));
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join(OWNER_FILE), "{").unwrap();
            folder
        });
        for folder in [&old, &held] {
            let long_ago = SystemTime::now() - 2 * STILL_BEING_MADE;
            File::open(folder).unwrap().set_modified(long_ago).unwrap();
        }
        let lock = File::open(held.join(OWNER_FILE)).unwrap();
        flock(&lock, FlockOperation::NonBlockingLockExclusive).unwrap();
        sweep(root.path());
        assert!(young.exists() && held.exists() && !old.exists());
    }

    #[test]
    fn a_new_folder_without_an_owner_file_stays() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("actions-browser-young");
        fs::create_dir(&folder).unwrap();
        sweep(root.path());
        assert!(folder.exists());
    }
}
