//! A signal that is referred to is declared.
//!
//! Breaks the rule:
//! ```json
//! { "name": "opened", "from": "closed", "to": "open", "signal": "overlay.opend", "method": "signal" }
//! ```
//!
//! Instead: declare the signal in `signals`, or correct the name.

use crate::compose::ExposedKind;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::declared::{declared, unknown};

pub(super) static RULE: Rule = Rule::error("R003", include_str!("r003_unknown_signal.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let names = declared(subject, ExposedKind::Signal);
    let transitions = subject.manifest.transitions.iter().filter_map(|transition| transition.signal.as_ref());
    let attachments = subject.manifest.attachments.iter().flat_map(|attachment| &attachment.signals);
    for name in transitions.chain(attachments).filter(|name| !names.contains(name.as_str())) {
        unknown(&RULE, "signal", name, &names, subject.document.node(name.at), report);
    }
}
