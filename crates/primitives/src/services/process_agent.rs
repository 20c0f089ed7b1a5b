//! An agent that is a process: messages go to its standard input and its events come from its standard output, as lines of
//! JSON.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actions_browser::Deadline;
use actions_protocol::ErrorCode;
use async_trait::async_trait;
use serde_json::{Map, Value, json};
use tokio::sync::watch;

use super::host::{AgentEvents, HostedAgent, MessageMode};
use crate::Failure;

/// How many events are kept, and the longest line, in bytes.
const KEPT: usize = 1_000;
const LONGEST_LINE: u64 = 256 * 1024;
/// How many events one wait returns.
const MOST_AT_ONCE: usize = 100;
/// How many lines may wait for the process to read them.
const UNREAD: usize = 64;
/// How long the process has to end by itself after its input has closed.
const ENDING: Duration = Duration::from_secs(2);
/// How long the process may take to answer that it has forgotten.
const FORGETTING: Duration = Duration::from_secs(10);

/// An agent that is a process. It is started by the first `runtime.agent.start` and ends with the session.
pub struct ProcessAgent {
    command: Vec<OsString>,
    running: tokio::sync::Mutex<Option<Running>>,
    said: Arc<Said>,
}

/// A process that runs. Dropping it kills and reaps the process.
struct Running {
    child: Child,
    /// Lines for its input, which a thread writes; closed to end the input.
    input: Option<SyncSender<String>>,
}

impl Running {
    /// Closes the input, and ends the process if it does not end by itself.
    fn end(&mut self) {
        self.input = None;
        let end = std::time::Instant::now() + ENDING;
        while self.child.try_wait().is_ok_and(|ended| ended.is_none()) && std::time::Instant::now() < end {
            std::thread::sleep(Duration::from_millis(10));
        }
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the process said, whether or not it still runs.
#[derive(Debug, Default)]
struct Said {
    kept: Mutex<Kept>,
    changed: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Kept {
    events: VecDeque<Map<String, Value>>,
    /// The number of the next event.
    next: u64,
}

impl Said {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, event: Map<String, Value>) {
        let next = {
            let mut kept = self.kept();
            if kept.events.len() == KEPT {
                kept.events.pop_front();
            }
            kept.events.push_back(event);
            kept.next += 1;
            kept.next
        };
        self.changed.send_replace(next);
    }

    /// The events from a cursor on, and the cursor after them.
    fn since(&self, cursor: u64) -> (Vec<Map<String, Value>>, u64) {
        let kept = self.kept();
        let first = kept.next - kept.events.len() as u64;
        let skipped = usize::try_from(cursor.saturating_sub(first)).unwrap_or(usize::MAX);
        let events: Vec<_> = kept.events.iter().skip(skipped).take(MOST_AT_ONCE).cloned().collect();
        let cursor = cursor.max(first).min(kept.next) + events.len() as u64;
        (events, cursor.min(kept.next))
    }
}

impl std::fmt::Debug for ProcessAgent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProcessAgent").field("command", &self.command).finish_non_exhaustive()
    }
}

impl ProcessAgent {
    /// An agent that this program, with these arguments, is.
    pub fn new(command: Vec<OsString>) -> Self {
        Self { command, running: tokio::sync::Mutex::default(), said: Arc::default() }
    }

    async fn send(&self, message: &Value) -> Result<(), Failure> {
        let running = self.running.lock().await;
        let Some(input) = running.as_ref().and_then(|agent| agent.input.as_ref()) else {
            let message = "the agent is not running: start it with `runtime.agent.start`";
            return Err(Failure::new(ErrorCode::CapabilityUnavailable, message));
        };
        input.try_send(format!("{message}\n")).map_err(|error| match error {
            TrySendError::Full(_) => gone("it does not read its input"),
            TrySendError::Disconnected(_) => gone("it has ended"),
        })
    }
}

#[async_trait]
impl HostedAgent for ProcessAgent {
    async fn start(&self, text_only: bool, _deadline: Deadline) -> Result<String, Failure> {
        let mut running = self.running.lock().await;
        if let Some(agent) = running.as_mut()
            && agent.child.try_wait().is_ok_and(|ended| ended.is_none())
        {
            return Ok("connected".to_owned());
        }
        let Some((program, arguments)) = self.command.split_first() else {
            return Err(gone("it names no program"));
        };
        let mut child = Command::new(program)
            .args(arguments)
            .env("ACTIONS_AGENT_TEXT_ONLY", if text_only { "1" } else { "0" })
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .map_err(|error| gone(&error.to_string()))?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (sender, lines) = sync_channel::<String>(UNREAD);
        *running = Some(Running { child, input: Some(sender) });
        let (Some(mut stdin), Some(stdout)) = (stdin, stdout) else {
            return Err(gone("its input and output are closed"));
        };
        // Both threads end with the pipes of the process, which is killed when this is dropped.
        std::thread::spawn(move || {
            for line in lines {
                if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let said = Arc::clone(&self.said);
        std::thread::spawn(move || listen(BufReader::new(stdout), &said));
        Ok("connected".to_owned())
    }

    async fn stop(&self, _deadline: Deadline) -> Result<String, Failure> {
        if let Some(mut agent) = self.running.lock().await.take() {
            // Waiting for a process blocks the thread.
            let _ = tokio::task::spawn_blocking(move || agent.end()).await;
        }
        Ok("stopped".to_owned())
    }

    async fn say(&self, text: &str, mode: MessageMode, _deadline: Deadline) -> Result<(), Failure> {
        self.send(&json!({ "type": "user_message", "text": text, "mode": mode })).await
    }

    /// The process answers with an event of the type `memory_cleared`.
    async fn clear_memory(&self, _deadline: Deadline) -> Result<u64, Failure> {
        let mut cursor = self.said.kept().next;
        self.send(&json!({ "type": "memory_clear" })).await?;
        let end = tokio::time::Instant::now() + FORGETTING;
        loop {
            let left = end.saturating_duration_since(tokio::time::Instant::now());
            let said = self.events(cursor, left).await?;
            let cleared =
                said.events.iter().find(|event| event.get("type") == Some(&json!("memory_cleared")));
            if let Some(cleared) = cleared {
                return Ok(cleared.get("count").and_then(Value::as_u64).unwrap_or_default());
            }
            if said.idle {
                return Err(gone("it did not say that it has forgotten"));
            }
            cursor = said.cursor;
        }
    }

    async fn events(&self, cursor: u64, wait: Duration) -> Result<AgentEvents, Failure> {
        let mut changed = self.said.changed.subscribe();
        let news = changed.wait_for(|next| *next > cursor);
        // Without news, what is returned is empty.
        let _ = tokio::time::timeout(wait, news).await;
        let (events, cursor) = self.said.since(cursor);
        Ok(AgentEvents { idle: events.is_empty(), events, cursor })
    }
}

/// Keeps every line of JSON that the process writes, until it ends.
fn listen(mut output: BufReader<ChildStdout>, said: &Said) {
    loop {
        let mut line = Vec::new();
        match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        match serde_json::from_slice::<Value>(&line) {
            Ok(Value::Object(event)) => said.add(event),
            // A line that is no event is what the agent says.
            _ => {
                let text = String::from_utf8_lossy(&line).trim().to_owned();
                if !text.is_empty() {
                    said.add(Map::from_iter([
                        ("type".to_owned(), json!("agent_message")),
                        ("text".to_owned(), json!(text)),
                    ]));
                }
            }
        }
    }
    said.add(Map::from_iter([("type".to_owned(), json!("agent_ended"))]));
}

fn gone(why: &str) -> Failure {
    Failure::new(ErrorCode::CapabilityUnavailable, format!("the agent cannot be used: {why}"))
}
