//! Steps as they happen, for a person.

use std::io::IsTerminal;
use std::time::Duration;

use actions_engine::{RunEvent, StepSummary};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;

use crate::output::note;
use crate::text::visible;

/// How much of an argument or a result is shown on a line.
const SHOWN: usize = 160;

pub(super) struct Progress {
    /// The live line; there is one only on a terminal.
    bar: Option<ProgressBar>,
    steps: bool,
    primitives: bool,
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
            bar
        });
        Self { bar, steps: terminal || verbose > 0, primitives: verbose > 1 }
    }

    pub(super) fn event(&self, event: &RunEvent) {
        match event {
            RunEvent::StepStarted { step_id, within, primitive, number, of } => {
                if let Some(bar) = &self.bar {
                    let indent = "  ".repeat(within.len());
                    bar.set_message(format!("{indent}{step_id}  {primitive}  ({number} of {of})"));
                }
            }
            RunEvent::PrimitiveStarted { primitive, args, index, .. } if self.primitives => {
                let index = index.map(|index| format!(" [{index}]")).unwrap_or_default();
                self.line(format!("    → {primitive}{index} {}", short(args)));
            }
            RunEvent::PrimitiveFinished { output, error, duration_ms, .. } if self.primitives => {
                let what = match (output, error) {
                    (_, Some(error)) => format!("{}: {}", error.code, visible(&error.message)),
                    (output, None) => output.as_ref().map(short).unwrap_or_default(),
                };
                self.line(format!("    ← {duration_ms} ms {what}"));
            }
            RunEvent::ItemsLeftOut { step_id, count, .. } if self.steps => {
                self.line(format!("  ! {step_id}: {count} items are left out"));
            }
            RunEvent::StepFinished { within, summary, .. } if self.steps => {
                self.line(finished(within.len(), summary));
            }
            RunEvent::PostconditionChecked { projection, ok, waited_ms, .. } if self.steps => {
                let mark = if *ok { "✓" } else { "✗" };
                self.line(format!("  {mark} {:<24} {projection:<24} {waited_ms:>6} ms", "postcondition"));
            }
            _ => {}
        }
    }

    /// Takes the live line away.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Writes a line that stays, above the live one.
    fn line(&self, line: String) {
        match &self.bar {
            Some(bar) => bar.suspend(|| note(line)),
            None => note(line),
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
