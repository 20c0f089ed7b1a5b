//! One command: shown, run, and ended with all of its children when it takes too long.

use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    fmt, fs,
    path::Path,
    process::{Command, ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use crate::{failure::Failure, workspace};

/// Longer than the slowest part takes on a slow machine with nothing built.
const LIMIT: Duration = Duration::from_secs(60 * 60);

/// One command of a task.
pub(crate) struct CommandLine {
    program: OsString,
    shown: String,
    arguments: Vec<String>,
    environment: Vec<(&'static str, &'static str)>,
}

impl CommandLine {
    /// A program of the machine.
    pub(crate) fn new(program: &str, arguments: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            program: program.into(),
            shown: program.to_owned(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            environment: Vec::new(),
        }
    }

    /// The cargo that runs this task, so that every part sees the same toolchain.
    pub(crate) fn cargo(arguments: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        Self { program: cargo, ..Self::new("cargo", arguments) }
    }

    /// A program that is not on the search path, shown as it is typed at the top level of the repository.
    pub(crate) fn at(program: &Path, arguments: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let shown = program.strip_prefix(workspace::root()).unwrap_or(program).display().to_string();
        Self { program: program.into(), ..Self::new(&shown, arguments) }
    }

    /// Sets a variable for this command alone.
    pub(crate) fn with_variable(mut self, name: &'static str, value: &'static str) -> Self {
        self.environment.push((name, value));
        self
    }

    /// Shows the command, runs it, and fails if it fails.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        self.run_to(0)
    }

    /// Shows the command, runs it, and fails if it does not end with this exit code.
    pub(crate) fn run_to(&self, exit: i32) -> Result<(), Failure> {
        println!("    $ {self}");
        self.status().and_then(|status| self.expect(exit, status))
    }

    /// Shows and runs a command that reports its own failures.
    pub(crate) fn run_reporting(&self) -> Result<(), Failure> {
        println!("    $ {self}");
        let status = self.status()?;
        match status.code().map(u8::try_from) {
            Some(Ok(exit)) if exit != 0 => Err(Failure::Reported { command: self.to_string(), exit }),
            _ => self.expect(0, status),
        }
    }

    fn status(&self) -> Result<ExitStatus, Failure> {
        let mut child = self.command().spawn().map_err(|source| self.not_started(source))?;
        let id = child.id();
        let (ended, end) = mpsc::channel();
        let waiter = thread::spawn(move || ended.send(child.wait()));
        let status = match end.recv_timeout(LIMIT) {
            Ok(status) => status.map_err(|source| self.not_started(source)),
            Err(_) => {
                end_tree(id);
                Err(Failure::Hung { command: self.to_string(), limit: LIMIT })
            }
        };
        // The waiter reaps the child, which has ended by now.
        let _ = waiter.join();
        status
    }

    /// Whether the command can be run and succeeds; prints nothing.
    pub(crate) fn succeeds(&self) -> bool {
        let mut command = self.command();
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }

    /// What the command writes to standard output.
    pub(crate) fn output(&self) -> Result<Vec<u8>, Failure> {
        let output =
            self.command().stderr(Stdio::inherit()).output().map_err(|source| self.not_started(source))?;
        self.expect(0, output.status)?;
        Ok(output.stdout)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .envs(self.environment.iter().copied())
            .current_dir(workspace::root())
            .stdin(Stdio::null());
        command
    }

    fn expect(&self, exit: i32, status: ExitStatus) -> Result<(), Failure> {
        if status.code() == Some(exit) {
            return Ok(());
        }
        Err(Failure::CommandFailed { command: self.to_string(), status, expected: exit })
    }

    fn not_started(&self, source: std::io::Error) -> Failure {
        Failure::NotStarted { command: self.to_string(), source }
    }
}

impl fmt::Display for CommandLine {
    /// The command as a person would type it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.environment {
            write!(f, "{name}={} ", quoted(value))?;
        }
        write!(f, "{}", self.shown)?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {}", quoted(argument)))
    }
}

fn quoted(argument: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_=+./:,@%".contains(&byte);
    if !argument.is_empty() && argument.bytes().all(plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}

/// Ends a process and everything it has started.
fn end_tree(root: u32) {
    let mut tree = vec![root];
    let children = children_by_parent();
    let mut next = 0;
    while let Some(parent) = tree.get(next) {
        tree.extend(children.get(parent).into_iter().flatten());
        next += 1;
    }
    let ids = tree.iter().map(ToString::to_string);
    let _ = Command::new("kill").arg("-KILL").args(ids).stderr(Stdio::null()).status();
}

/// Which processes have which children. Where there is no /proc the answer is empty.
fn children_by_parent() -> BTreeMap<u32, Vec<u32>> {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        // The second field is the program's name in brackets and may hold anything; the parent is the second after.
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        if let Some(parent) = parent {
            children.entry(parent).or_default().push(id);
        }
    }
    children
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read};

    use super::*;

    #[test]
    fn a_command_is_shown_as_a_person_would_type_it() {
        let command = CommandLine::cargo(["doc", "--no-deps"]).with_variable("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(command.to_string(), "RUSTDOCFLAGS='-D warnings' cargo doc --no-deps");
        assert_eq!(CommandLine::new("x", ["it's", "", "{}"]).to_string(), r"x 'it'\''s' '' '{}'");
        let program = workspace::root().join("target/debug/x");
        assert_eq!(CommandLine::at(&program, ["y"]).to_string(), "target/debug/x y");
    }

    #[test]
    fn a_command_that_fails_is_named_in_the_failure() {
        let failure = CommandLine::new("false", [""; 0]).run().unwrap_err();
        assert_eq!(failure.to_string(), "`false` ended with exit status: 1, not with 0");
    }

    #[test]
    fn a_command_that_tells_why_it_fails_is_believed_in_its_exit_code() {
        let failure = |script| CommandLine::new("sh", ["-c", script]).run_reporting().unwrap_err();
        assert!(matches!(failure("exit 2"), Failure::Reported { exit: 2, .. }));
        assert!(matches!(failure("kill -KILL $$"), Failure::CommandFailed { .. }));
    }

    #[test]
    fn a_program_that_is_not_there_is_named_in_the_failure() {
        let failure = CommandLine::new("no-such-program-anywhere", [""; 0]).run().unwrap_err();
        assert!(
            failure.to_string().starts_with("`no-such-program-anywhere` could not be started"),
            "{failure}"
        );
    }

    #[test]
    fn a_tree_of_processes_ends_as_a_whole() {
        // Both share one pipe, which ends when the last of them has ended. The child blocks in the shell itself
        // until its input ends, and would say so if it were still there by then.
        let script = "exec 3<&0; (echo started; read line <&3; echo survived) & wait";
        let mut shell = Command::new("sh")
            .args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = BufReader::new(shell.stdout.take().unwrap());
        let mut said = String::new();
        pipe.read_line(&mut said).unwrap();
        end_tree(shell.id());
        drop(shell.stdin.take());
        pipe.read_to_string(&mut said).unwrap();
        assert_eq!(said, "started\n");
        assert!(!shell.wait().unwrap().success());
    }
}
