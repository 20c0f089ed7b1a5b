//! `requires` names capabilities that exist and are performed.
//!
//! A capability is the name of a primitive, or a class of primitives: `portable`, `privileged`, `debug`. What a tool
//! requires must exist and must be performed by this engine, otherwise every call of that tool ends with
//! `capability_unavailable`. What the map requires as a whole refuses nothing: other tools stay usable. The lenient
//! profile reports it as a warning.
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

pub(super) static RULE: Rule = Rule::error("T006", include_str!("t006_unknown_capability.rs"));

const CLASSES: &[&str] = &["portable", "privileged", "debug", "mixed"];

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let dictionary = Dictionary::builtin();
    let of_tools = subject.manifest.tools.iter().flat_map(|tool| &tool.requires);
    let of_map = subject.manifest.requires().and_then(|requires| requires.primitive_dictionary.as_ref());
    let of_map = of_map.into_iter().flat_map(|wanted| &wanted.required_primitives);
    for capability in of_tools.chain(of_map) {
        let name = capability.as_str();
        let (message, help) = match dictionary.get(name) {
            _ if CLASSES.contains(&name) => continue,
            Some(_) => continue,
            None => (
                format!("there is no capability `{name}`"),
                dictionary.closest(name).map(|near| format!("did you mean `{near}`?")),
            ),
        };
        report.find(&RULE, subject.document.node(capability.at), message).maybe_help(help).tolerated();
    }
}
