//! The thread that owns one browser process: it starts the process, waits for its exit, reaps it and removes its
//! folder.
//!
//! It is a separate thread because the parent-death signal fires when the *thread* that started the process ends; this
//! one ends only after the process has been reaped. Cleaning up therefore needs no async runtime.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ExitStatus};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::sync::watch;

use super::cleaner::Cleaner;
use super::process::{ProcessIdentity, group_is_running};
use super::profile::Profile;
use super::spawn::spawn;
use super::sweep::sweep;
use crate::cdp::PipeEnds;
use crate::{Clock, Deadline};

/// How long to wait for cleaning up. The kernel may keep a process that hangs in a driver.
pub(super) const CLEANING: Duration = Duration::from_secs(10);
/// How long to wait for the last lines of standard error. A helper outside the process group may keep it open.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// How many browsers of this process are not cleaned up yet.
static KEPT: LazyLock<watch::Sender<usize>> = LazyLock::new(watch::Sender::default);
/// How many lines of the browser's standard error are kept.
const KEPT_LINES: usize = 40;
/// How many bytes of a line are kept.
const KEPT_LINE_BYTES: u64 = 2_000;

/// A browser process from its start until it is cleaned up. Clones watch the same process.
#[derive(Clone, Debug)]
pub(crate) struct Keeper(Arc<Watched>);

#[derive(Debug)]
struct Watched {
    /// The process group, while its id is certainly ours.
    group: Mutex<Option<Pid>>,
    stage: watch::Sender<Stage>,
    stderr: Mutex<VecDeque<String>>,
}

#[derive(Clone, Debug)]
enum Stage {
    Running,
    Exited(Option<ExitStatus>),
    Cleaned(Option<ExitStatus>),
}

impl Stage {
    fn describe(&self) -> String {
        match self {
            Stage::Running => "it is running".to_owned(),
            Stage::Exited(status) | Stage::Cleaned(status) => {
                match status.map(|status| (status.code(), status.signal())) {
                    Some((Some(code), _)) => format!("it exited with status {code}"),
                    Some((None, Some(signal))) => format!("it was ended by signal {signal}"),
                    Some((None, None)) | None => "it ended".to_owned(),
                }
            }
        }
    }
}

/// Counts one browser; dropped when it is cleaned up.
struct Kept;

impl Kept {
    fn new() -> Self {
        KEPT.send_modify(|kept| *kept += 1);
        Self
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        KEPT.send_modify(|kept| *kept -= 1);
    }
}

/// Waits, up to a limit, until the browsers that this process has closed or dropped are cleaned up. A browser that
/// still runs when the process ends is killed, and its cleaner removes its folder.
pub async fn all_cleaned(clock: &dyn Clock) {
    let mut kept = KEPT.subscribe();
    tokio::select! {
        _ = kept.wait_for(|kept| *kept == 0) => {}
        () = clock.sleep_until(clock.now() + CLEANING) => {
            tracing::debug!("cleaning up a browser takes longer than {CLEANING:?}");
        }
    }
}

impl Keeper {
    /// Starts the browser. Returns when the program is running or could not be started.
    pub(super) fn start(
        program: PathBuf,
        flags: Vec<String>,
        profile: Profile,
        sweep_root: PathBuf,
    ) -> io::Result<(Self, PipeEnds)> {
        let keeper = Self(Arc::new(Watched {
            group: Mutex::default(),
            stage: watch::Sender::new(Stage::Running),
            stderr: Mutex::default(),
        }));
        let (started, starting) = mpsc::sync_channel(1);
        let kept = keeper.clone();
        let counted = Kept::new();
        thread::Builder::new().name("actions-keeper".to_owned()).spawn(move || {
            let _counted = counted;
            let cleaner = Cleaner::start(profile.folder());
            if let Err(error) = &cleaner {
                tracing::debug!("no process will remove the folder if this one is killed: {error}");
            }
            match spawn(&program, &flags, profile.temporary_dir().as_deref()) {
                Ok((child, ends)) => {
                    *lock(&kept.0.group) = pid_of(&child);
                    // If the launcher is gone, the pipes close here and the browser exits.
                    let _ = started.send(Ok(ends));
                    kept.keep(child, profile, cleaner.ok(), &sweep_root);
                }
                Err(error) => {
                    remove(profile, cleaner.ok());
                    // The launcher waits for this message.
                    let _ = started.send(Err(error));
                }
            }
        })?;
        let ends = starting.recv().map_err(|_| io::Error::other("the keeper thread ended"))??;
        Ok((keeper, ends))
    }

    /// Sends SIGKILL to the browser and all its helpers. Never waits.
    pub(crate) fn kill(&self) {
        if let Some(leader) = *lock(&self.0.group) {
            // The group may have exited on its own by now.
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }

    /// The id of the browser's process while it is running.
    pub(crate) fn process_id(&self) -> Option<u32> {
        lock(&self.0.group).and_then(|leader| u32::try_from(leader.as_raw_nonzero().get()).ok())
    }

    /// Waits until the process has exited and describes how. Cleaning up may still be in progress.
    pub(crate) async fn exited(&self) -> String {
        self.reached(|stage| !matches!(stage, Stage::Running)).await
    }

    /// Waits until the process is reaped and its folder removed, or the deadline has passed.
    pub(crate) async fn cleaned(&self, clock: &dyn Clock, deadline: Deadline) {
        tokio::select! {
            _ = self.reached(|stage| matches!(stage, Stage::Cleaned(_))) => {}
            () = clock.sleep_until(deadline.at()) => {
                tracing::debug!("cleaning up the browser takes longer; its keeper continues");
            }
        }
    }

    async fn reached(&self, stage: impl FnMut(&Stage) -> bool) -> String {
        let mut stages = self.0.stage.subscribe();
        match stages.wait_for(stage).await {
            Ok(stage) => stage.describe(),
            // Impossible while this value holds the sender.
            Err(_) => Stage::Exited(None).describe(),
        }
    }

    /// The last lines of the browser's standard error.
    pub(crate) fn stderr(&self) -> String {
        lock(&self.0.stderr).iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    fn keep(
        &self,
        mut child: Child,
        mut profile: Profile,
        cleaner: Option<Cleaner>,
        sweep_root: &std::path::Path,
    ) {
        let drain = child.stderr.take().map(|pipe| self.drain(pipe));
        if let Err(error) = profile.write_owner(Some(ProcessIdentity::of(child.id()))) {
            tracing::debug!("cannot write the browser to the owner file: {error}");
        }
        let root = sweep_root.to_path_buf();
        // In its own thread, so that a long sweep does not delay noticing the exit of the browser.
        let sweeping = thread::Builder::new().name("actions-sweep".to_owned()).spawn(move || sweep(&root));
        let leader = pid_of(&child);
        if let Some(leader) = leader {
            wait_without_reaping(leader);
        }
        let status = {
            // While the leader is a zombie the system cannot reuse its id, so the group is still ours.
            let mut group = lock(&self.0.group);
            if let Some(leader) = group.take() {
                let _ = kill_process_group(leader, Signal::KILL);
            }
            child.wait().ok()
        };
        self.0.stage.send_replace(Stage::Exited(status));
        if let Some(leader) = leader {
            wait_for_helpers(leader);
        }
        remove(profile, cleaner);
        if let Some(Ok(drained)) = drain {
            // If this takes too long or the thread panicked, only some lines are lost.
            let _ = drained.recv_timeout(LAST_WORDS);
        }
        if let Ok(sweeping) = sweeping {
            // If the sweep panicked, the next one removes the rest.
            let _ = sweeping.join();
        }
        self.0.stage.send_replace(Stage::Cleaned(status));
    }

    /// Reads the browser's standard error, so that the browser never blocks on it, and keeps the last lines. The
    /// returned channel carries no message; it disconnects at the end of the stream.
    fn drain(&self, pipe: ChildStderr) -> io::Result<mpsc::Receiver<()>> {
        let watched = self.0.clone();
        let (draining, drained) = mpsc::channel();
        thread::Builder::new().name("actions-stderr".to_owned()).spawn(move || {
            let _draining = draining;
            let mut reader = BufReader::new(pipe);
            let mut line = Vec::new();
            loop {
                line.clear();
                match reader.by_ref().take(KEPT_LINE_BYTES).read_until(b'\n', &mut line) {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {
                        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                        tracing::trace!("browser: {text}");
                        let mut kept = lock(&watched.stderr);
                        if kept.len() == KEPT_LINES {
                            kept.pop_front();
                        }
                        kept.push_back(text);
                    }
                }
            }
        })?;
        Ok(drained)
    }
}

fn pid_of(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

fn wait_without_reaping(leader: Pid) {
    while let Err(rustix::io::Errno::INTR) =
        waitid(WaitId::Pid(leader), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
    {}
}

/// Waits until the killed helpers are gone. The wait is bounded, because the kernel may be unable to end a helper.
fn wait_for_helpers(group: Pid) {
    for _ in 0..1_000 {
        if !(group_is_running(group) | reap_helpers(group)) {
            return;
        }
        thread::sleep(Duration::from_millis(2));
    }
    tracing::debug!("processes of group {} are still exiting", group.as_raw_nonzero());
}

/// Reaps helpers that became our children when the browser exited: that happens if this process is the init of a
/// container or a subreaper. Returns whether some are left: a helper whose threads are still exiting looks like a
/// zombie but cannot be reaped yet.
fn reap_helpers(group: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
    loop {
        match waitid(WaitId::Pgid(Some(group)), options) {
            Ok(Some(_)) | Err(rustix::io::Errno::INTR) => {}
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
}

/// Removes the folder. If that fails, its cleaner goes on trying for a while, and then the next sweep.
fn remove(profile: Profile, cleaner: Option<Cleaner>) {
    let folder = profile.folder().to_path_buf();
    match profile.remove() {
        Ok(()) => cleaner.into_iter().for_each(Cleaner::dismiss),
        Err(error) => tracing::debug!("{} is left for the next sweep: {error}", folder.display()),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
