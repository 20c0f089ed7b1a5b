//! The table of validation rules.

use actions_interop::systems;
use actions_manifest::RULES;

use super::table::table;

/// One row per rule.
pub(super) fn text() -> String {
    let rows =
        RULES.iter().copied().chain(systems::rules()).map(|rule| {
            [format!("`{}`", rule.code), rule.severity.as_str().to_owned(), rule.title().to_owned()]
        });
    table(["code", "severity", "rule"], rows)
}
