//! Findings as a JSON array.

use actions_manifest::Finding;
use serde::Serialize;

use crate::output;

#[derive(Serialize)]
struct Row<'f> {
    path: &'f str,
    line: usize,
    column: usize,
    pointer: &'f str,
    code: &'static str,
    severity: &'static str,
    message: &'f str,
    help: Option<&'f str>,
}

/// Prints findings as one JSON array.
pub(crate) fn print(findings: &[&Finding]) {
    let rows: Vec<Row<'_>> = findings
        .iter()
        .map(|finding| {
            let position = finding.position();
            Row {
                path: finding.source.name(),
                line: position.line,
                column: position.column,
                pointer: &finding.pointer,
                code: finding.rule.code,
                severity: finding.severity.as_str(),
                message: &finding.message,
                help: finding.help.as_deref(),
            }
        })
        .collect();
    output::json(&rows);
}
