//! Absence is not tested with `= null`.
//!
//! In JSONata a missing path is not null, so `steps.find.output.text = null` is false when the text is missing.
//! `$exists(…)` is no help where a value can be null, because `$exists(null)` is true. `!= null` is true only for a value
//! that is there and is not null, and its negation is right in both cases.
//!
//! Breaks the rule:
//! ```json
//! { "when": "{% steps.find.output.text = null %}" }
//! ```
//!
//! Instead:
//! ```json
//! { "when": "{% $not(steps.find.output.text != null) %}" }
//! ```

use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::warning("A005", include_str!("a005_null_comparison.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for slot in subject.view.slots.iter().map(|placed| placed.slot) {
        for place in slot.expression.null_comparisons() {
            let source = slot.expression.source().get(place.offset..place.offset + place.len);
            let Some(compared) = source.and_then(compared_by_equality) else { continue };
            report
                .find(
                    &RULE,
                    slot.spot(subject.document, place.offset, place.len),
                    "`= null` is false when the value is missing",
                )
                .help(format!(
                    "write `$not({compared} != null)`: it is true for a missing value and for null"
                ));
        }
    }
}

/// The side of `x = null` or `null = x` that is not null; none if the comparison is another one.
fn compared_by_equality(comparison: &str) -> Option<&str> {
    let before = comparison.strip_suffix("null").and_then(|rest| rest.trim_end().strip_suffix('='));
    let after = comparison.strip_prefix("null").and_then(|rest| rest.trim_start().strip_prefix('='));
    before.filter(|rest| !rest.ends_with('!')).or(after).map(str::trim)
}
