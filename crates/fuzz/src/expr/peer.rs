//! jsonata.js as a child process: one JSON line per question, one per answer.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::Answer;

/// Why the peer cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum PeerError {
    /// It could not be started, or ended.
    #[error("node does not answer: {0}")]
    Io(#[from] std::io::Error),
    /// It wrote something that is no answer.
    #[error("node wrote no answer: {0}")]
    Unreadable(#[from] serde_json::Error),
}

/// A running jsonata.js. Dropping it ends the process.
pub struct Peer {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts node on the script that evaluates; `folder` holds `node_modules/jsonata`.
    pub fn start(script: &Path, folder: &Path) -> Result<Self, PeerError> {
        let mut child = Command::new("node")
            .arg(script)
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let questions = child.stdin.take();
        let answers =
            child.stdout.take().map(BufReader::new).ok_or_else(|| std::io::Error::other("no output"))?;
        Ok(Self { child, questions, answers })
    }

    /// Asks several questions at once.
    pub fn ask(&mut self, questions: &[(String, Value)]) -> Result<Vec<Answer>, PeerError> {
        let input = self.questions.as_mut().ok_or_else(|| std::io::Error::other("the peer was closed"))?;
        for (source, scope) in questions {
            writeln!(input, "{}", json!({ "source": source, "scope": scope }))?;
        }
        input.flush()?;
        let mut answers = Vec::with_capacity(questions.len());
        let mut line = String::new();
        for _ in questions {
            line.clear();
            if self.answers.read_line(&mut line)? == 0 {
                return Err(std::io::Error::other("node ended").into());
            }
            answers.push(Answer::theirs(&serde_json::from_str(&line)?));
        }
        Ok(answers)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // The script ends when its input does.
        drop(self.questions.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
