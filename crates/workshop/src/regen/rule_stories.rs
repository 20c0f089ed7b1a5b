//! The story of every validation rule, as `actions explain` prints it.

use actions_interop::systems;
use actions_manifest::RULES;

/// One section per rule.
pub(super) fn text() -> String {
    let section = |rule: &actions_manifest::Rule| {
        format!("## {}\n\n*{}.* {}\n\n", rule.code, rule.severity.as_str(), rule.story().trim())
    };
    RULES.iter().copied().chain(systems::rules()).map(section).collect()
}
