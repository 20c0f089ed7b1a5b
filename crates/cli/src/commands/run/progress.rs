//! Prints the steps of a call while it runs.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use actions_engine::{EventKind, Moment, RunEvent, StepSummary};
use actions_protocol::{ErrorCode, WireCode};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;

use crate::output::{live, note};
use crate::text::{counted, line, short};

/// Arguments and outputs are shortened to this many characters.
const SHOWN: usize = 160;

pub(super) struct Progress {
    /// The live line; only on a terminal.
    bar: Option<ProgressBar>,
    /// What is running, outermost first: the tool, its step, the step of a nested call.
    doing: Mutex<Vec<String>>,
    steps: bool,
    primitives: bool,
    quiet: bool,
}

impl Progress {
    /// Prints steps on a terminal or with `-v`, every primitive with `-vv`, and nothing with `-q`.
    pub(super) fn new(quiet: bool, verbose: u8) -> Self {
        let terminal = std::io::stderr().is_terminal() && !quiet;
        let bar = terminal.then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("  {spinner} {msg}") {
                bar.set_style(style);
            }
            bar.set_message("opening the page");
            bar.enable_steady_tick(Duration::from_millis(100));
            live(Some(bar.clone()));
            bar
        });
        Self { bar, doing: Mutex::default(), steps: terminal || verbose > 0, primitives: verbose > 1, quiet }
    }

    pub(super) fn event(&self, event: &RunEvent) {
        let within = &event.within;
        match &event.kind {
            EventKind::CallStarted { parent: None, tool, .. } => self.doing(0, Some(tool.to_string())),
            EventKind::StepStarted { step_id, primitive, number, of } => {
                let indent = "  ".repeat(within.len());
                self.doing(
                    within.len() + 1,
                    Some(format!("{indent}{step_id}  {primitive}  ({number} of {of})")),
                );
            }
            EventKind::PrimitiveStarted { primitive, args, index, .. } if self.primitives => {
                let index = index.map(|index| format!(" [{index}]")).unwrap_or_default();
                note(format!("    → {primitive}{index} {}", brief(args)));
            }
            EventKind::PrimitiveFinished { output, error, duration_ms, .. } if self.primitives => {
                let what = match (output, error) {
                    (_, Some(error)) => format!("{}: {}", error.code, line(&error.message)),
                    (output, None) => output.as_ref().map(|output| brief(output)).unwrap_or_default(),
                };
                note(format!("    ← {duration_ms} ms {what}"));
            }
            EventKind::ItemsLeftOut { step_id, count, .. } if !self.quiet => {
                let items = counted(*count, "item");
                note(format!("warning: step `{step_id}` skipped {items} because of its `max_items`"));
            }
            EventKind::AfterEachFailed { step_id, primitive, times, error } if !self.quiet => {
                let times = counted(*times, "time");
                let error = format!("{} ({})", line(&error.message), error.code);
                note(format!(
                    "warning: the `after_each` of step `{step_id}` ({primitive}) failed {times}, at last: {error}"
                ));
            }
            EventKind::Settled { step_id, index, settle } if !settle.ok && !self.quiet => {
                let item = index.map(|index| format!(" after item {index}")).unwrap_or_default();
                let why = match &settle.reason {
                    Some(reason) if *reason != WireCode::from(ErrorCode::Timeout) => format!(" ({reason})"),
                    _ => String::new(),
                };
                let waited = settle.waited_ms;
                note(format!(
                    "warning: the `settle_after` of step `{step_id}` was not met{item}{why}; the call went on after {waited} ms"
                ));
            }
            EventKind::ResultMisfit { error } if !self.quiet => {
                note(format!("warning: {}", line(&error.message)));
            }
            EventKind::PageOpened { runtime_id, url } if self.steps => {
                note(format!("    opened page {runtime_id}: {}", line(url)));
            }
            EventKind::DialogAnswered { kind, message, accepted, .. } if self.steps => {
                let answer = if *accepted { "yes" } else { "no" };
                note(format!("    {kind}: {} – {answer}", brief(&Value::from(message.as_str()))));
            }
            EventKind::StepFinished { summary, .. } if self.steps => {
                self.doing(within.len() + 1, None);
                note(finished(within.len(), summary));
            }
            EventKind::PostconditionChecked { projection, ok, waited_ms, .. } if self.steps => {
                let mark = if *ok { "✓" } else { "✗" };
                note(format!("  {mark} {:<24} {projection:<24} {waited_ms:>6} ms", "postcondition"));
            }
            EventKind::StatesChecked { moment: Moment::After, required, ok: Some(false), .. }
                if !self.quiet && within.is_empty() =>
            {
                let states = required.iter().map(|state| format!("`{state}`")).collect::<Vec<_>>();
                note(format!("note: the call leads to {}, which is not current", states.join(" or ")));
            }
            EventKind::TraversalEvaluated { transition, attempt, of, satisfied } if self.steps => {
                let mark = if *satisfied { "✓" } else { "–" };
                note(format!("  {mark} {transition:<24} attempt {attempt} of {of}"));
            }
            _ => {}
        }
    }

    /// Removes the live line.
    pub(super) fn finish(&self) {
        if self.bar.is_some() {
            live(None);
        }
    }

    /// Shows what runs at a depth; `None` returns to what runs around it.
    fn doing(&self, depth: usize, what: Option<String>) {
        let Some(bar) = &self.bar else { return };
        let mut doing = self.doing.lock().unwrap_or_else(PoisonError::into_inner);
        doing.truncate(depth);
        doing.extend(what);
        if let Some(innermost) = doing.last() {
            bar.set_message(line(innermost));
        }
    }
}

fn finished(depth: usize, summary: &StepSummary) -> String {
    let mark = match (summary.ok, summary.skipped) {
        (_, true) => "–",
        (true, false) => "✓",
        (false, false) => "✗",
    };
    let name = format!("{}{}", "  ".repeat(depth), summary.id);
    let settle = summary.settle.as_ref().filter(|settle| !settle.ok).map_or("", |_| "  (did not settle)");
    let shown =
        format!("  {mark} {name:<24} {:<24} {:>6} ms{settle}", summary.primitive, summary.duration_ms);
    line(&shown)
}

/// Formats a value on one line and shortens it.
fn brief(value: &Value) -> String {
    short(&line(&value.to_string()), SHOWN)
}
