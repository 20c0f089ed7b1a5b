//! Steps as they happen, for a person.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use actions_engine::{EventKind, RunEvent, StepSummary};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;

use crate::output::{live, note};
use crate::text::{counted, visible};

/// How much of an argument or a result is shown on a line.
const SHOWN: usize = 160;

pub(super) struct Progress {
    /// The live line; there is one only on a terminal.
    bar: Option<ProgressBar>,
    /// What is being done, from the outside in: the tool, its step, the step of a call within that.
    doing: Mutex<Vec<String>>,
    steps: bool,
    primitives: bool,
    quiet: bool,
}

impl Progress {
    /// Shows steps on a terminal or when asked to, every primitive when asked twice, and nothing when asked not to.
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
                note(format!("    → {primitive}{index} {}", short(args)));
            }
            EventKind::PrimitiveFinished { output, error, duration_ms, .. } if self.primitives => {
                let what = match (output, error) {
                    (_, Some(error)) => format!("{}: {}", error.code, visible(&error.message)),
                    (output, None) => output.as_ref().map(|output| short(output)).unwrap_or_default(),
                };
                note(format!("    ← {duration_ms} ms {what}"));
            }
            EventKind::ItemsLeftOut { step_id, count, .. } if !self.quiet => {
                let items = counted(*count, "item");
                note(format!(
                    "warning: the step `{step_id}` leaves {items} out; its `max_items` takes no more"
                ));
            }
            EventKind::DialogAnswered { kind, message, accepted, .. } if self.steps => {
                let answer = if *accepted { "yes" } else { "no" };
                note(format!("    {kind}: {} – {answer}", short(&Value::from(message.as_str()))));
            }
            EventKind::StepFinished { summary, .. } if self.steps => {
                self.doing(within.len() + 1, None);
                note(finished(within.len(), summary));
            }
            EventKind::PostconditionChecked { projection, ok, waited_ms, .. } if self.steps => {
                let mark = if *ok { "✓" } else { "✗" };
                note(format!("  {mark} {:<24} {projection:<24} {waited_ms:>6} ms", "postcondition"));
            }
            _ => {}
        }
    }

    /// Takes the live line away.
    pub(super) fn finish(&self) {
        if self.bar.is_some() {
            live(None);
        }
    }

    /// Shows what is being done at a depth, or that it is done and what is around it goes on.
    fn doing(&self, depth: usize, what: Option<String>) {
        let Some(bar) = &self.bar else { return };
        let mut doing = self.doing.lock().unwrap_or_else(PoisonError::into_inner);
        doing.truncate(depth);
        doing.extend(what);
        if let Some(innermost) = doing.last() {
            bar.set_message(visible(innermost));
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
    let line = format!("  {mark} {name:<24} {:<24} {:>6} ms{settle}", summary.primitive, summary.duration_ms);
    visible(&line)
}

/// A value on one line, cut where it is long.
fn short(value: &Value) -> String {
    let text = visible(&value.to_string());
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
