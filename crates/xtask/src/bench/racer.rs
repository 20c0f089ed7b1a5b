//! A process that takes part in a benchmark.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

use crate::failure::Failure;

/// A process that performs a task once for every line on its input and prints one line of JSON each time.
///
/// Starting it includes its start-up, which is not measured.
pub(super) struct Racer {
    name: &'static str,
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// The line it printed when it was ready.
    pub(super) ready: Value,
}

impl Racer {
    /// Starts the process and waits until it is ready.
    pub(super) fn start(name: &'static str, command: &mut Command) -> Result<Self, Failure> {
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.map_err(|source| Failure::NotStarted { command: name.to_owned(), source })?;
        let input = child.stdin.take();
        let Some(output) = child.stdout.take().map(BufReader::new) else {
            return Err(Failure::Racer { name, answer: "nothing".to_owned() });
        };
        let mut racer = Self { name, child, input, output, ready: Value::Null };
        let mut answer = racer.answer()?;
        racer.ready = answer["ready"].take();
        Ok(racer)
    }

    /// Performs its only task once.
    pub(super) fn round(&mut self) -> Result<Value, Failure> {
        self.perform("go")
    }

    /// Performs a task once.
    pub(super) fn perform(&mut self, task: &str) -> Result<Value, Failure> {
        let asked = self.input.as_mut().map(|input| input.write_all(format!("{task}\n").as_bytes()));
        match asked {
            Some(Ok(())) => self.answer(),
            _ => Err(self.failure("nothing, it does not listen")),
        }
    }

    fn answer(&mut self) -> Result<Value, Failure> {
        let mut line = String::new();
        match self.output.read_line(&mut line) {
            Ok(_) => serde_json::from_str(&line).map_err(|_| self.failure(&line)),
            Err(error) => Err(self.failure(&error.to_string())),
        }
    }

    fn failure(&self, answer: &str) -> Failure {
        Failure::Racer { name: self.name, answer: answer.trim().to_owned() }
    }
}

impl Drop for Racer {
    /// The end of its input ends the process.
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.wait();
    }
}
