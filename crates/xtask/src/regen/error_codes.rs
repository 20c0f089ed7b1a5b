//! The table of error codes.

use actions_protocol::ErrorCode;

/// One row per error code.
pub(super) fn text() -> String {
    let rows: String = ErrorCode::ALL
        .iter()
        .map(|code| {
            let again = if code.recoverable() { "yes" } else { "no" };
            let (severity, exit) = (code.severity(), code.exit().code());
            format!("| `{code}` | {severity} | {again} | {exit} | {} |\n", code.sentence())
        })
        .collect();
    format!("| code | severity | recoverable | exit | meaning |\n| --- | --- | --- | --- | --- |\n{rows}")
}
