//! The table of error codes.

use actions_protocol::ErrorCode;

use super::table::table;

/// One row per error code.
pub(super) fn text() -> String {
    let rows = ErrorCode::ALL.iter().map(|code| {
        let again = if code.recoverable() { "yes" } else { "no" };
        let (severity, exit) = (code.severity().to_string(), code.exit().code().to_string());
        [format!("`{code}`"), severity, again.to_owned(), exit, code.sentence().to_owned()]
    });
    table(["code", "severity", "recoverable", "exit", "meaning"], rows)
}
