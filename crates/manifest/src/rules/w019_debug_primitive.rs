//! A map does without debug primitives.
//!
//! `debug.run_javascript` and its twin run code that a reviewer cannot read as an action. They are off unless the person at
//! the machine says `--allow-debug`. In a map that another one imports they are an error, whatever the trust.
//!
//! Breaks the rule:
//! ```json
//! { "id": "read", "primitive": "debug.run_javascript", "args": { "source": "return document.title" } }
//! ```
//!
//! Instead: use the primitive made for it.
//! ```json
//! { "id": "read", "primitive": "page.info" }
//! ```

use actions_dictionary::CapabilityClass;

use crate::finding::Report;
use crate::rule::{Rule, Severity};
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::warning("W019", include_str!("w019_debug_primitive.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for used in &subject.view.primitives {
        if used.primitive().is_none_or(|primitive| primitive.class != CapabilityClass::Debug) {
            continue;
        }
        if subject.part.is_imported() {
            let message = format!("an imported map uses the debug primitive `{}`", used.name);
            report
                .find(&RULE, used.at, message)
                .severity(Severity::Error)
                .help("it can never be granted; take the tool out, or keep it in your own map");
        } else {
            report
                .find(&RULE, used.at, format!("`{}` is a debug primitive", used.name))
                .help("it is refused unless the run says `--allow-debug`");
        }
    }
}
