//! Starts the browser's process with the debugging pipes on descriptors 3 and 4.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::io::{dup2, fcntl_dupfd_cloexec};

use crate::cdp::PipeEnds;

/// The descriptor from which Chromium reads commands.
const COMMANDS_FD: i32 = 3;
/// The descriptor to which Chromium writes responses and events.
const ANSWERS_FD: i32 = 4;

/// Starts the program in its own process group. The calling thread must outlive the process.
pub(super) fn spawn(
    program: &Path,
    flags: &[String],
    temporary: Option<&Path>,
) -> io::Result<(Child, PipeEnds)> {
    let (commands_out, commands_in) = io::pipe()?;
    let (answers_out, answers_in) = io::pipe()?;
    // The child's ends must not be 3 or 4 themselves, or moving one would overwrite the other.
    let commands_out = out_of_the_way(commands_out.as_fd())?;
    let answers_in = out_of_the_way(answers_in.as_fd())?;
    // Occupy 3 and 4, so that the standard library does not use them to report a failed exec.
    let null = File::open("/dev/null")?;
    let _placeholders = [fcntl_dupfd_cloexec(&null, COMMANDS_FD)?, fcntl_dupfd_cloexec(&null, COMMANDS_FD)?];

    let mut command = Command::new(program);
    command.args(flags).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
    if let Some(temporary) = temporary {
        command.env("TMPDIR", temporary);
    }
    before_exec(&mut command, commands_out.as_raw_fd(), answers_in.as_raw_fd());
    let child = command.spawn()?;
    Ok((child, PipeEnds { commands: commands_in.into(), answers: answers_out.into() }))
}

fn out_of_the_way(end: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    Ok(fcntl_dupfd_cloexec(end, 10)?)
}

/// Sets up what the child does between fork and exec.
#[allow(
    unsafe_code,
    reason = "the only way to run code between fork and exec; the closure makes system calls only"
)]
fn before_exec(command: &mut Command, commands_out: i32, answers_in: i32) {
    let parent = rustix::process::getpid();
    let arrange = move || {
        move_to(commands_out, COMMANDS_FD)?;
        move_to(answers_in, ANSWERS_FD)?;
        die_with(parent)
    };
    // SAFETY: the closure neither allocates nor takes locks, as required between fork and exec.
    unsafe { command.pre_exec(arrange) };
}

#[allow(unsafe_code, reason = "descriptors by number exist only in the child, where nothing else owns them")]
fn move_to(from: i32, to: i32) -> io::Result<()> {
    // SAFETY: `from` is open in the child, and nothing in the child owns `to`: it is a placeholder, closed on exec.
    let (from, mut target) = unsafe { (BorrowedFd::borrow_raw(from), OwnedFd::from_raw_fd(to)) };
    let moved = dup2(from, &mut target);
    std::mem::forget(target);
    Ok(moved?)
}

/// Makes the kernel kill the browser when this process ends for any reason.
#[cfg(target_os = "linux")]
fn die_with(parent: rustix::process::Pid) -> io::Result<()> {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid() == Some(parent) { Ok(()) } else { Err(io::Error::from(io::ErrorKind::BrokenPipe)) }
}

/// On other systems the browser exits when its pipe closes.
#[cfg(not(target_os = "linux"))]
fn die_with(_parent: rustix::process::Pid) -> io::Result<()> {
    Ok(())
}
