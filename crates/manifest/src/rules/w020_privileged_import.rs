//! An import that is not trusted uses no privileged primitives.
//!
//! Privileged primitives reach beyond the page: tabs, dialogs, files, the clipboard. A map whose `trust` is `public`,
//! `unknown` or not said is never granted them, nor is a map it imports in turn.
//!
//! Breaks the rule: an import with `"trust": "public"` whose map has a step with `browser.open_tab`.
//!
//! Instead: review the map and say so in the import, or take the tool out of it.
//! ```json
//! { "id": "shared", "uri": "shared.json", "namespace": "shared", "trust": "local" }
//! ```

use actions_dictionary::CapabilityClass;

use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("W020", include_str!("w020_privileged_import.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    if !subject.part.is_imported() || subject.part.may_be_privileged() {
        return;
    }
    let trust = subject.part.trust().as_str();
    for used in &subject.view.primitives {
        if used.primitive().is_none_or(|primitive| primitive.class != CapabilityClass::Privileged) {
            continue;
        }
        let message =
            format!("`{}` is privileged, and the trust in this imported map is `{trust}`", used.name);
        report
            .find(&RULE, used.at, message)
            .help("review the map and give the import another `trust`, or do without");
    }
}
