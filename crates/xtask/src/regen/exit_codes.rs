//! The table of exit codes.

use actions_protocol::Exit;

/// One row per exit code.
pub(super) fn text() -> String {
    let rows: String =
        Exit::ALL.iter().map(|exit| format!("| {} | {} |\n", exit.code(), exit.sentence())).collect();
    format!("| exit | meaning |\n| --- | --- |\n{rows}")
}
