//! The files of background sessions: where they are, who owns them, and what dead owners left.

use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use actions_engine::CallError;
use actions_protocol::ErrorCode;
use rustix::fs::{FlockOperation, flock};
use rustix::process::geteuid;
use serde::{Deserialize, Serialize};

/// The files of one session.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) name: String,
    folder: PathBuf,
}

/// The process that holds a session.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Occupant {
    pub(crate) pid: u32,
    /// The version of the program.
    pub(crate) version: String,
}

/// A session file that is locked: as long as this lives, no other process can hold the session.
#[derive(Debug)]
pub(crate) struct Held {
    lock: File,
    place: Place,
}

/// The folder of the sessions of this user: in the user's runtime folder, or in the folder for temporary files.
fn folder() -> io::Result<PathBuf> {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|folder| folder.is_dir());
    let folder = match runtime.filter(|folder| folder.is_absolute()) {
        Some(runtime) => runtime.join("actions"),
        None => std::env::temp_dir().join(format!("actions-{}", geteuid().as_raw())),
    };
    match DirBuilder::new().mode(0o700).create(&folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let found = fs::symlink_metadata(&folder)?;
    let problem = match () {
        () if !found.is_dir() => "is not a folder",
        () if found.uid() != geteuid().as_raw() => "belongs to another user",
        () if found.mode() & 0o077 != 0 => "is open to other users; close it with `chmod 700`",
        () => return Ok(folder),
    };
    Err(io::Error::new(ErrorKind::PermissionDenied, format!("{} {problem}", folder.display())))
}

/// The sessions that have files, in the order of their names. Files of processes that have ended are removed.
pub(crate) fn all() -> Result<Vec<Place>, CallError> {
    let folder = folder().map_err(unusable)?;
    let entries = fs::read_dir(&folder).map_err(unusable)?.flatten();
    let names =
        entries.filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".lock")?.to_owned()));
    let mut places: Vec<Place> = names.map(|name| Place { name, folder: folder.clone() }).collect();
    places.sort_by(|a, b| a.name.cmp(&b.name));
    places.retain(|place| place.occupant().is_some());
    Ok(places)
}

fn unusable(error: io::Error) -> CallError {
    let message = format!("the folder of background sessions cannot be used: {error}");
    CallError::new(ErrorCode::TransportFailed, message)
        .with_evidence("hint", "set XDG_RUNTIME_DIR to a folder that belongs to you")
}

impl Place {
    /// The place of a session.
    pub(crate) fn of(name: &str) -> Result<Self, CallError> {
        actions_runtime::check_name(name)?;
        Ok(Self { name: name.to_owned(), folder: folder().map_err(unusable)? })
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.join(format!("{}.sock", self.name))
    }

    /// What the process of the session prints when something is wrong with it.
    pub(crate) fn log(&self) -> PathBuf {
        self.folder.join(format!("{}.log", self.name))
    }

    fn lock_file(&self) -> PathBuf {
        self.folder.join(format!("{}.lock", self.name))
    }

    /// The process that holds the session. If there is none, removes what a dead one left.
    pub(crate) fn occupant(&self) -> Option<Occupant> {
        let mut file = open(&self.lock_file(), false).ok()?;
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
            if self.is_at_its_place(&file) {
                self.remove_files();
            }
            return None;
        }
        let mut text = String::new();
        // The owner may be about to write it; the session exists all the same.
        file.read_to_string(&mut text).ok();
        Some(serde_json::from_str(&text).unwrap_or(Occupant { pid: 0, version: "unknown".to_owned() }))
    }

    /// Returns when no process holds the session. It blocks the thread.
    pub(crate) fn wait_until_free(&self) {
        let Ok(file) = open(&self.lock_file(), false) else { return };
        // The holder removes the files before it lets go of the lock. A process that was killed leaves them.
        let locked = flock(&file, FlockOperation::LockExclusive);
        if locked.is_ok() && self.is_at_its_place(&file) {
            self.remove_files();
        }
    }

    /// Takes the place for this process. Fails if another process holds it.
    pub(crate) fn take(&self) -> Result<Held, CallError> {
        // A file that was removed between opening and locking it protects nothing: then the next one is tried.
        for _ in 0..100 {
            let mut lock = open(&self.lock_file(), true).map_err(unusable)?;
            if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
                let message = format!("there is already a session `{}`", self.name);
                return Err(CallError::new(ErrorCode::WrongUsage, message).with_evidence(
                    "hint",
                    format!(
                        "use it with `--session {0}`, or end it with `actions session stop {0}`",
                        self.name
                    ),
                ));
            }
            if !self.is_at_its_place(&lock) {
                continue;
            }
            let occupant =
                Occupant { pid: std::process::id(), version: env!("CARGO_PKG_VERSION").to_owned() };
            let text = serde_json::to_string(&occupant).expect("plain data serialises");
            let written =
                lock.set_len(0).and_then(|()| lock.rewind()).and_then(|()| lock.write_all(text.as_bytes()));
            written.map_err(unusable)?;
            remove(&self.socket());
            return Ok(Held { lock, place: self.clone() });
        }
        let error = io::Error::new(ErrorKind::Interrupted, "other processes keep removing its files");
        Err(unusable(error))
    }

    fn is_at_its_place(&self, file: &File) -> bool {
        let there = fs::symlink_metadata(self.lock_file());
        file.metadata()
            .is_ok_and(|own| there.is_ok_and(|there| (own.dev(), own.ino()) == (there.dev(), there.ino())))
    }

    /// Removes the files of the session. The caller holds the lock, and the lock file goes last.
    fn remove_files(&self) {
        [self.socket(), self.log(), self.lock_file()].iter().for_each(|file| remove(file));
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.place.is_at_its_place(&self.lock) {
            self.place.remove_files();
        }
    }
}

fn open(path: &Path, create: bool) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    let no_follow = rustix::fs::OFlags::NOFOLLOW.bits();
    options.read(true).write(true).create(create).truncate(false).mode(0o600);
    options.custom_flags(i32::try_from(no_follow).unwrap_or_default()).open(path)
}

fn remove(path: &Path) {
    // It may not be there.
    drop(fs::remove_file(path));
}
