//! `requires` names capabilities that exist.
//!
//! A capability is the name of a primitive, or a class of primitives: `portable`, `privileged`, `debug`. A tool that
//! requires anything else is refused on every call, with `capability_unavailable`.
//!
//! Breaks the rule:
//! ```json
//! { "requires": ["browser.screnshot"] }
//! ```
//!
//! Instead:
//! ```json
//! { "requires": ["browser.screenshot"] }
//! ```

use actions_dictionary::Dictionary;

use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::warning("T006", include_str!("t006_unknown_capability.rs"));

const CLASSES: &[&str] = &["portable", "privileged", "debug", "mixed"];

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let dictionary = Dictionary::builtin();
    let of_tools = subject.manifest.tools.iter().flat_map(|tool| &tool.requires);
    let of_map = subject.manifest.requires().and_then(|requires| requires.primitive_dictionary.as_ref());
    let of_map = of_map.into_iter().flat_map(|wanted| &wanted.required_primitives);
    for capability in of_tools.chain(of_map) {
        let name = capability.as_str();
        if dictionary.contains(name) || CLASSES.contains(&name) {
            continue;
        }
        let help = dictionary.closest(name).map(|near| format!("did you mean `{near}`?"));
        report
            .find(&RULE, subject.document.node(capability.at), format!("there is no capability `{name}`"))
            .maybe_help(help);
    }
}
