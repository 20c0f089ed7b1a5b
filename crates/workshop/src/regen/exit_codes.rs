//! The table of exit codes.

use actions_protocol::Exit;

use super::table::table;

/// One row per exit code.
pub(super) fn text() -> String {
    let rows = Exit::ALL.iter().map(|exit| [exit.code().to_string(), exit.sentence().to_owned()]);
    table(["exit", "meaning"], rows)
}
