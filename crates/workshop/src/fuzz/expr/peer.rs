//! A child process that evaluates expressions: one JSON line per question, one per answer.
//!
//! An expression that ends the process, or keeps it busy for ever, is an answer too; the next question goes to a new one.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::Answer;

/// A process that has not answered by then hangs: an expression takes a millisecond.
const HANGS_AFTER: Duration = Duration::from_secs(20);

/// How many questions are asked before the first answer is read.
const BATCH: usize = 200;

/// An expression and its scope.
pub type Question = (String, Value);

/// A process that evaluates, started when it is needed and again when it ended.
pub struct Peer {
    command: Command,
    running: Option<Running>,
}

struct Running {
    child: Child,
    questions: ChildStdin,
    answers: Receiver<String>,
}

impl Peer {
    /// A peer that runs this command.
    pub fn new(command: Command) -> Self {
        Self { command, running: None }
    }

    /// Asks several questions; gives an answer to each.
    pub fn ask(&mut self, questions: &[Question]) -> io::Result<Vec<Answer>> {
        let mut answers = Vec::with_capacity(questions.len());
        for batch in questions.chunks(BATCH) {
            let from = answers.len();
            let got = self.ask_together(batch)?;
            answers.extend(got);
            // The process ended at one of these. Each is asked alone, so that only that one is blamed.
            for question in &questions[answers.len()..from + batch.len()] {
                let answer = self.ask_together(std::slice::from_ref(question))?.pop();
                answers.push(answer.unwrap_or(Answer::Ended));
            }
        }
        Ok(answers)
    }

    /// Asks one question.
    pub fn ask_one(&mut self, source: &str, scope: &Value) -> io::Result<Answer> {
        let mut answers = self.ask(&[(source.to_owned(), scope.clone())])?;
        Ok(answers.pop().unwrap_or(Answer::Ended))
    }

    /// The answers up to the question at which the process ended.
    fn ask_together(&mut self, questions: &[Question]) -> io::Result<Vec<Answer>> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Running::start(&mut self.command)?,
        };
        let lines: String = questions
            .iter()
            .map(|(source, scope)| format!("{}\n", json!({ "source": source, "scope": scope })))
            .collect();
        let mut answers = Vec::with_capacity(questions.len());
        // A process that ended takes no questions; what it answered before can still be read.
        let _ = running.questions.write_all(lines.as_bytes()).and_then(|()| running.questions.flush());
        for _ in questions {
            let Ok(line) = running.answers.recv_timeout(HANGS_AFTER) else {
                return Ok(answers);
            };
            answers.push(Answer::from_json(&serde_json::from_str(&line)?));
        }
        self.running = Some(running);
        Ok(answers)
    }
}

impl Running {
    fn start(command: &mut Command) -> io::Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let (Some(questions), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the process has no pipes"));
        };
        let (sender, answers) = channel();
        // The thread ends when the process does.
        thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Ok(Self { child, questions, answers })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
