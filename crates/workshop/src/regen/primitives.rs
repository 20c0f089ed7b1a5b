//! The table of primitives.

use actions_dictionary::Dictionary;

use super::table::table;

/// One row per primitive.
pub(super) fn text() -> String {
    let rows = Dictionary::builtin().iter().map(|primitive| {
        let changes = if primitive.mutating { "yes" } else { "no" };
        let name = format!("`{}`", primitive.name);
        [name, primitive.class.to_string(), changes.to_owned(), primitive.summary.clone()]
    });
    table(["primitive", "class", "changes the page", "summary"], rows)
}
