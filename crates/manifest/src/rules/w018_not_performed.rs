//! A primitive is one this engine performs.
//!
//! The dictionary also knows primitives of other runtimes: overlays for a person in front of the browser, agents in the
//! page. A map may name them, but a call of a tool that uses one ends with `capability_unavailable`. Each primitive is
//! reported once, where the map names it first.
//!
//! Breaks the rule:
//! ```json
//! { "id": "open", "primitive": "overlay.open", "args": { "html": "<p>Hello</p>" } }
//! ```
//!
//! Instead: leave the step out, or keep the tool for runtimes that perform it. `actions primitives NAME` says why one is
//! not performed.

use std::collections::HashSet;

use actions_dictionary::Support;

use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::UsedAs;

pub(super) static RULE: Rule = Rule::warning("W018", include_str!("w018_not_performed.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let mut reported = HashSet::new();
    // What an attachment opens is for a person anyway.
    for used in subject.view.primitives.iter().filter(|used| used.used_as != UsedAs::Opens) {
        let Some(Support::Planned(reason)) = used.primitive().map(|primitive| &primitive.support) else {
            continue;
        };
        if !reported.insert(used.name) {
            continue;
        }
        report
            .find(&RULE, used.at, format!("this engine does not perform `{}`", used.name))
            .help(format!("a call ends with `capability_unavailable`. {reason}"));
    }
}
