//! Identifies processes, also when the system reuses their ids.

use std::fs;

use rustix::process::{Pid, test_kill_process, test_kill_process_group};
use serde::{Deserialize, Serialize};

/// A process id with the start time of the process by the kernel's clock. Together they are unique.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ProcessIdentity {
    pub(super) pid: u32,
    /// `None` where the system does not report it.
    pub(super) started: Option<u64>,
}

impl ProcessIdentity {
    pub(super) fn of(pid: u32) -> Self {
        Self { pid, started: start_time(pid) }
    }

    pub(super) fn of_this_process() -> Self {
        Self::of(std::process::id())
    }

    /// Whether this process is still running. Without start times, any process with the id counts.
    pub(super) fn is_running(&self) -> bool {
        if !cfg!(target_os = "linux") {
            return i32::try_from(self.pid)
                .ok()
                .and_then(Pid::from_raw)
                .is_some_and(|pid| test_kill_process(pid).is_ok());
        }
        match (start_time(self.pid), self.started) {
            (None, _) => false,
            (Some(now), Some(then)) => now == then,
            (Some(_), None) => true,
        }
    }
}

/// The fields of /proc/PID/stat that we use.
struct Stat {
    group: i32,
    started: u64,
}

/// Reads /proc/PID/stat. The name in field 2 may contain anything, so fields are counted from the last `)`. `None` for
/// a zombie: it has ended.
fn stat(pid: u32) -> Option<Stat> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = stat.get(stat.rfind(')')? + 1..)?.split_ascii_whitespace().collect();
    if matches!(*fields.first()?, "Z" | "X") {
        return None;
    }
    Some(Stat { group: fields.get(2)?.parse().ok()?, started: fields.get(19)?.parse().ok()? })
}

fn start_time(pid: u32) -> Option<u64> {
    stat(pid).map(|stat| stat.started)
}

/// Whether any process of a group is running. Zombies do not count.
pub(super) fn group_is_running(group: Pid) -> bool {
    if !cfg!(target_os = "linux") {
        return test_kill_process_group(group).is_ok();
    }
    let Ok(processes) = fs::read_dir("/proc") else { return false };
    let group = group.as_raw_nonzero().get();
    let pids = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.into_iter().any(|pid| stat(pid).is_some_and(|stat| stat.group == group))
}

/// How much memory the processes of a group use, in bytes, with shared pages divided among those that share them. `None`
/// where the system does not say.
pub(crate) fn memory_of_group(group: u32) -> Option<u64> {
    let group = i32::try_from(group).ok()?;
    let processes = fs::read_dir("/proc").ok()?.flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let of_group = pids.filter(|pid| stat(*pid).is_some_and(|stat| stat.group == group));
    let shares: Vec<u64> = of_group.filter_map(proportional_memory).collect();
    (!shares.is_empty()).then(|| shares.iter().sum())
}

/// The proportional share of memory of a process, in bytes.
fn proportional_memory(pid: u32) -> Option<u64> {
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// The command line arguments of a process of this user.
pub(super) fn arguments(pid: u32) -> Option<Vec<String>> {
    use std::os::unix::fs::MetadataExt;
    let folder = format!("/proc/{pid}");
    if fs::metadata(&folder).ok()?.uid() != rustix::process::geteuid().as_raw() {
        return None;
    }
    let line = fs::read(format!("{folder}/cmdline")).ok()?;
    Some(line.split(|byte| *byte == 0).map(|part| String::from_utf8_lossy(part).into_owned()).collect())
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_identified_by_its_id_and_start_time() {
        let this = ProcessIdentity::of_this_process();
        assert!(this.started.is_some());
        assert!(this.is_running());
        let reused = ProcessIdentity { started: Some(1), ..this };
        assert!(!reused.is_running());
    }
}
