//! Absence is tested with `$exists`.
//!
//! In JSONata a missing path is not null: `steps.find.output.text = null` is false whether the text is there or not,
//! and so is `!= null` in the other direction. The condition never does what it says.
//!
//! Breaks the rule:
//! ```json
//! { "when": "{% steps.find.output.text != null %}" }
//! ```
//!
//! Instead:
//! ```json
//! { "when": "{% $exists(steps.find.output.text) %}" }
//! ```

use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::warning("A005", include_str!("a005_null_comparison.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for slot in subject.view.slots.iter().map(|placed| placed.slot) {
        for place in slot.expression.null_comparisons() {
            report
                .find(
                    &RULE,
                    slot.spot(subject.document, place.offset, place.len),
                    "a missing path is neither equal nor unequal to null",
                )
                .help("use `$exists(…)`");
        }
    }
}
