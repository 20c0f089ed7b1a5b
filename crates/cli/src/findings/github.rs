//! Findings as GitHub workflow commands.

use actions_manifest::{Finding, Severity};

use crate::output;
use crate::text::visible;

/// Prints findings as GitHub workflow commands, which GitHub shows next to the changed lines.
pub(crate) fn print(findings: &[&Finding]) {
    for finding in findings {
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Advice => "notice",
        };
        let position = finding.position();
        let help = finding.help.as_ref().map(|help| format!("\n{help}")).unwrap_or_default();
        output::result(format_args!(
            "::{command} file={},line={},col={},title={}::{}",
            property(finding.source.name()),
            position.line,
            position.column,
            finding.rule.code,
            data(&format!("{}{help}", finding.message)),
        ));
    }
}

/// Escapes the data of a workflow command.
fn data(text: &str) -> String {
    visible(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
