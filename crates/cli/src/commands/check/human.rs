//! Results of checks for people.

use actions_drift::{CheckResult, Proposal, Report, Status};
use actions_protocol::Severity;

use crate::output;
use crate::text::{counted, line};

/// Prints what did not pass, map by map, and the results in numbers. News of nothing are no output at all, so that a
/// scheduled check sends no mail.
pub(super) fn print(report: &Report, only_changes: bool) {
    if only_changes && report.results.is_empty() {
        return;
    }
    for of_map in report.results.chunk_by(|one, other| one.map == other.map) {
        let shown = of_map
            .iter()
            .filter(|result| !matches!(result.status, Status::Passed | Status::Skipped) || only_changes);
        let shown: Vec<&CheckResult> = shown.collect();
        if shown.is_empty() {
            continue;
        }
        output::coloured(format_args!("\u{1b}[1m{}\u{1b}[0m", line(&of_map[0].map)));
        shown.into_iter().for_each(one);
        output::coloured("");
    }
    output::coloured(summary(report));
}

fn one(result: &CheckResult) {
    let (sign, colour) = match (result.status, result.severity) {
        (Status::Passed, _) => ('✓', 32),
        (Status::Failed, Severity::Info | Severity::Minor) => ('✗', 33),
        (Status::Failed, _) => ('✗', 31),
        (Status::Skipped, _) => ('-', 2),
        _ => ('!', 35),
    };
    let status = match result.status {
        Status::Failed => result.severity.to_string(),
        other => other.as_str().to_owned(),
    };
    let since = result.evidence.get("since").and_then(|since| since.as_str());
    let since = since.filter(|_| result.status == Status::Failed).map(|since| format!("  since {since}"));
    output::coloured(format_args!(
        "  \u{1b}[{colour}m{sign} {}\u{1b}[0m  {status}{}",
        line(&result.check_id),
        since.unwrap_or_default()
    ));
    if let Some(error) = &result.error {
        output::coloured(format_args!("      {} ({})", line(&error.message), error.code));
        if let Some(next) = &error.next_step {
            output::coloured(format_args!("      then: {}", line(next)));
        }
    }
    if !result.url.is_empty() {
        let attempts =
            if result.attempts > 1 { format!(", looked {} times", result.attempts) } else { String::new() };
        output::coloured(format_args!("      at {}{attempts}", line(&result.url)));
    }
    result.proposals.iter().for_each(proposal);
}

fn proposal(proposal: &Proposal) {
    output::coloured(format_args!(
        "      proposal ({:.2}): {}",
        proposal.score,
        line(&proposal.reasons.join(", "))
    ));
    for change in &proposal.patch {
        let text = |key: &str| change.get(key).and_then(|value| value.as_str()).unwrap_or_default();
        let value = change.get("value").map(ToString::to_string).unwrap_or_default();
        output::coloured(format_args!("        {} {} {}", text("op"), line(text("path")), line(&value)));
    }
}

fn summary(report: &Report) -> String {
    let summary = &report.summary;
    let mut parts: Vec<String> = Status::ALL
        .iter()
        .filter_map(|status| {
            let count = summary.by_status.get(status.as_str())?;
            Some(format!("{count} {}", status.as_str()))
        })
        .collect();
    if summary.failed > 0 {
        let severities: Vec<String> =
            summary.by_severity.iter().map(|(severity, count)| format!("{count} {severity}")).collect();
        if let Some(failed) = parts.iter_mut().find(|part| part.ends_with("failed")) {
            failed.push_str(&format!(" ({})", severities.join(", ")));
        }
    }
    let covered = (summary.covered * 100.0).round();
    format!(
        "{} of {}: {}; {covered} % looked at",
        counted(summary.checks, "check"),
        counted(summary.maps, "map"),
        parts.join(", ")
    )
}
