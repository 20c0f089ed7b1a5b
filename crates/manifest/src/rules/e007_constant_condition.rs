//! A condition depends on something.
//!
//! A `when`, a `retry_until` or a postcondition that reads nothing is always true or always false. Often it is text in
//! quotes that was meant to be a path.
//!
//! Breaks the rule:
//! ```json
//! { "when": "{% 'input.page' %}" }
//! ```
//!
//! Instead:
//! ```json
//! { "when": "{% $exists(input.page) %}" }
//! ```

use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::{Role, Scope};

pub(super) static RULE: Rule = Rule::advice("E007", include_str!("e007_constant_condition.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for placed in &subject.view.slots {
        let what = match placed.scope {
            Scope::Workflow { role: role @ (Role::When | Role::RetryUntil), .. } => {
                format!("`{}`", role.key())
            }
            Scope::Postcondition => "the postcondition".to_owned(),
            _ => continue,
        };
        if !placed.slot.expression.is_constant() {
            continue;
        }
        let spot = placed.slot.spot(subject.document, 0, placed.slot.expression.source().len());
        report
            .find(&RULE, spot, format!("{what} reads nothing, so it always has the same value"))
            .help("read `input`, `steps` or `state`, or leave the condition out");
    }
}
