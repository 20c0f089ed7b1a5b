//! The owner of one browser process: starts it, waits for it, reaps it, removes its folder.
//!
//! The keeper is a thread of its own, because the parent-death signal fires when the *thread* that started the process
//! ends: this one ends only after the process has been reaped. It also means that cleaning up needs no runtime.

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

use super::process::{ProcessIdentity, group_is_running};
use super::profile::Profile;
use super::spawn::spawn;
use super::sweep::sweep;
use crate::Clock;
use crate::cdp::PipeEnds;

/// How long cleaning up is waited for. The kernel may keep a process that hangs in a device.
const CLEANING: Duration = Duration::from_secs(10);
/// How long the last lines of standard error are waited for: a process that left the group may keep it open.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// How many browsers of this process have something left that their keepers are to remove.
static KEPT: LazyLock<watch::Sender<usize>> = LazyLock::new(watch::Sender::default);
/// How many lines of the browser's standard error are kept.
const KEPT_LINES: usize = 40;
/// How much of a line is kept.
const KEPT_LINE_BYTES: u64 = 2_000;

/// A browser process from its start until nothing is left of it. Clones watch the same process.
#[derive(Clone, Debug)]
pub(crate) struct Keeper(Arc<Watched>);

#[derive(Debug)]
struct Watched {
    /// The process group, for as long as its number is certainly ours.
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
            Stage::Running => "it runs".to_owned(),
            Stage::Exited(status) | Stage::Cleaned(status) => {
                match status.map(|status| (status.code(), status.signal())) {
                    Some((Some(code), _)) => format!("it exited with status {code}"),
                    Some((None, Some(signal))) => format!("signal {signal} ended it"),
                    Some((None, None)) | None => "it ended".to_owned(),
                }
            }
        }
    }
}

/// One browser that is kept; dropped when nothing is left of it.
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

/// Waits, not for ever, until nothing is left of the browsers that this process has closed or given up. What still runs
/// when the process ends is killed, but its folder stays until the next launch.
pub async fn all_cleaned(clock: &dyn Clock) {
    let mut kept = KEPT.subscribe();
    tokio::select! {
        _ = kept.wait_for(|kept| *kept == 0) => {}
        () = clock.sleep_until(clock.now() + CLEANING) => {
            tracing::debug!("a browser's end takes longer than {CLEANING:?}");
        }
    }
}

impl Keeper {
    /// Starts the browser; returns once the program runs, or could not be started.
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
            match spawn(&program, &flags, profile.temporary_dir().as_deref()) {
                Ok((child, ends)) => {
                    *lock(&kept.0.group) = pid_of(&child);
                    // If nobody takes the pipes any more they close here, and the browser ends by itself.
                    let _ = started.send(Ok(ends));
                    kept.keep(child, profile, &sweep_root);
                }
                Err(error) => {
                    remove(profile);
                    // The launcher waits for this answer and nothing else.
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
            // The group may have ended by itself a moment ago.
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }

    /// The number of the browser's process, as long as it runs.
    pub(crate) fn process_id(&self) -> Option<u32> {
        lock(&self.0.group).and_then(|leader| u32::try_from(leader.as_raw_nonzero().get()).ok())
    }

    /// Completes when the process has exited, and tells how; cleaning up may still go on.
    pub(crate) async fn exited(&self) -> String {
        self.reached(|stage| !matches!(stage, Stage::Running)).await
    }

    /// Completes when the process is reaped and its folder removed, or when that takes too long.
    pub(crate) async fn cleaned(&self, clock: &dyn Clock) {
        tokio::select! {
            _ = self.reached(|stage| matches!(stage, Stage::Cleaned(_))) => {}
            () = clock.sleep_until(clock.now() + CLEANING) => {
                tracing::debug!("the browser's end takes longer than {CLEANING:?}; its keeper goes on alone");
            }
        }
    }

    async fn reached(&self, stage: impl FnMut(&Stage) -> bool) -> String {
        let mut stages = self.0.stage.subscribe();
        match stages.wait_for(stage).await {
            Ok(stage) => stage.describe(),
            // Impossible while this value holds the sender; gone is gone.
            Err(_) => Stage::Exited(None).describe(),
        }
    }

    /// The last lines of the browser's standard error.
    pub(crate) fn stderr(&self) -> String {
        lock(&self.0.stderr).iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    fn keep(&self, mut child: Child, mut profile: Profile, sweep_root: &std::path::Path) {
        let drain = child.stderr.take().map(|pipe| self.drain(pipe));
        if let Err(error) = profile.write_owner(Some(ProcessIdentity::of(child.id()))) {
            tracing::debug!("the owner file does not name the browser: {error}");
        }
        let root = sweep_root.to_path_buf();
        // Beside the browser: its end is noticed at once, however much others have left behind.
        let sweeping = thread::Builder::new().name("actions-sweep".to_owned()).spawn(move || sweep(&root));
        let leader = pid_of(&child);
        if let Some(leader) = leader {
            wait_without_reaping(leader);
        }
        let status = {
            // While the leader is a zombie its number cannot be given to anyone else: the group is still ours.
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
        remove(profile);
        if let Some(Ok(drained)) = drain {
            // A drain that takes longer, or panicked, has only lost some lines.
            let _ = drained.recv_timeout(LAST_WORDS);
        }
        if let Ok(sweeping) = sweeping {
            // What a sweep that panicked did not remove is left to the next one.
            let _ = sweeping.join();
        }
        self.0.stage.send_replace(Stage::Cleaned(status));
    }

    /// Reads the browser's standard error so that it never blocks on it, and keeps the last lines. The receiver hears
    /// nothing, and hangs up when the end is reached.
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

/// The helpers have been killed; they are gone when their group is. Bounded: a helper that the kernel cannot end
/// yet must not keep us for ever.
fn wait_for_helpers(group: Pid) {
    for _ in 0..1_000 {
        if !(group_is_running(group) | reap_helpers(group)) {
            return;
        }
        thread::sleep(Duration::from_millis(2));
    }
    tracing::debug!("processes of group {} are still ending", group.as_raw_nonzero());
}

/// Where we are the first process of a container, or reap for others, helpers become our children when the browser ends,
/// and nobody else reaps them. Whether some are left: one whose threads are still ending looks like a zombie, and is not
/// yet to be reaped.
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

fn remove(profile: Profile) {
    let folder = profile.folder().to_path_buf();
    if let Err(error) = profile.remove() {
        tracing::debug!("{} is left to the next sweep: {error}", folder.display());
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
