//! Text goes into a field that is named.
//!
//! Without a `target` the text goes wherever the focus happens to be, and with `"mode": "replace"` it wipes what is
//! there. Name the field, or focus it in the step before.
//!
//! Could be better:
//! ```json
//! { "id": "fill", "primitive": "text.insert", "args": { "text": "{% input.query %}", "mode": "replace" } }
//! ```
//!
//! Instead:
//! ```json
//! {
//!   "id": "fill",
//!   "primitive": "text.insert",
//!   "args": { "text": "{% input.query %}", "mode": "replace", "target": { "selector": "#query" } }
//! }
//! ```

use actions_dictionary::Dictionary;

use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::advice("A006", include_str!("a006_ambient_text.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for workflow in subject.manifest.tools.iter().filter_map(|tool| tool.workflow.as_ref()) {
        let mut focused = false;
        for step in &workflow.steps {
            let Some(primitive) = Dictionary::builtin().get(&step.primitive) else { continue };
            let args = subject.document.node(step.at).get("args");
            let named =
                args.is_some_and(|args| args.get("target").is_some() || args.get("locator").is_some());
            if primitive.writes_at_focus && !named && !focused {
                report
                    .find(
                        &RULE,
                        subject.document.node(step.id.at),
                        format!("`{}` writes wherever the focus happens to be", *step.id),
                    )
                    .help("add `\"target\"`, or focus the field in the step before");
            }
            focused |= primitive.takes_focus;
        }
    }
}
