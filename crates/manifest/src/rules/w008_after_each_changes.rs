//! What runs between attempts observes, or can be repeated without harm.
//!
//! `after_each` runs an unknown number of times. A primitive that clicks or types there would do so again and again, so
//! only these are allowed: `locator.wait_for`, `locator.element_info`, `dom.observe.visible`, `viewport.scroll`,
//! `overlay.menu.hide` and `overlay.menu.show`.
//!
//! Breaks the rule:
//! ```json
//! { "after_each": { "primitive": "pointer.click", "args": { "x": 10, "y": 10 } } }
//! ```
//!
//! Instead: scroll or look between attempts, and put what changes the page into a step of its own.
//! ```json
//! { "after_each": { "primitive": "viewport.scroll", "args": { "delta_y": 600 } } }
//! ```

use actions_dictionary::Dictionary;

use crate::finding::Report;
use crate::lower::listed;
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::UsedAs;

pub(super) static RULE: Rule = Rule::error("W008", include_str!("w008_after_each_changes.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for used in subject.view.primitives.iter().filter(|used| used.used_as == UsedAs::AfterEach) {
        if used.primitive().is_none_or(|primitive| primitive.idempotent_observer) {
            continue;
        }
        let allowed = Dictionary::builtin().names_where(|primitive| primitive.idempotent_observer);
        report
            .find(&RULE, used.at, format!("`{}` may not run between attempts", used.name))
            .help(format!("one of {}", listed(&allowed)));
    }
}
