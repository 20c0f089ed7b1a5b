//! Results of cases for people.

use actions_drift::{CaseReport, CaseResult, CaseStatus, Difference};
use serde_json::Value;

use crate::output;
use crate::text::{counted, line};

/// How many characters of a value are shown.
const MAX_VALUE: usize = 160;

/// Prints the cases, map by map, with what differs, and the results in numbers.
pub(super) fn print(report: &CaseReport, only_failures: bool) {
    for of_map in report.results.chunk_by(|one, other| one.map == other.map) {
        let shown = of_map.iter().filter(|result| !only_failures || result.status == CaseStatus::Failed);
        let shown: Vec<&CaseResult> = shown.collect();
        if shown.is_empty() {
            continue;
        }
        output::coloured(format_args!("\u{1b}[1m{}\u{1b}[0m", line(&of_map[0].map)));
        shown.into_iter().for_each(one);
    }
    let summary = &report.summary;
    let counts = [(summary.passed, "passed"), (summary.failed, "failed"), (summary.skipped, "skipped")];
    let counts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    output::coloured(format_args!("{}: {}", counted(summary.cases, "case"), counts.join(", ")));
}

fn one(result: &CaseResult) {
    let (sign, colour) = match result.status {
        CaseStatus::Passed => ('✓', 32),
        CaseStatus::Failed => ('✗', 31),
        CaseStatus::Skipped => ('-', 2),
    };
    output::coloured(format_args!("  \u{1b}[{colour}m{sign} {}\u{1b}[0m", line(&result.case)));
    if let Some(error) = &result.error {
        output::coloured(format_args!("      {}", line(&error.message)));
    }
    if let Some(why) = &result.skipped {
        output::coloured(format_args!("      {}", line(why)));
    }
    result.difference.iter().flatten().for_each(difference);
}

fn difference(difference: &Difference) {
    let place = if difference.path.is_empty() { "expect" } else { difference.path.as_str() };
    output::coloured(format_args!("      {}", line(place)));
    if let Some(expected) = &difference.expected {
        output::coloured(format_args!("        \u{1b}[31m- {}\u{1b}[0m", short(expected)));
    }
    if let Some(found) = &difference.found {
        output::coloured(format_args!("        \u{1b}[32m+ {}\u{1b}[0m", short(found)));
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    let cut: String = text.chars().take(MAX_VALUE).collect();
    let cut = if cut.len() < text.len() { cut + "…" } else { cut };
    line(&cut)
}
