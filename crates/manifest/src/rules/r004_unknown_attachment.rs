//! An attachment that is referred to is declared.
//!
//! Breaks the rule:
//! ```json
//! { "assertions": [{ "attachment": "categories-lancher", "visible": true }] }
//! ```
//!
//! Instead: declare the attachment in `attachments`, or correct the name.

use crate::compose::ExposedKind;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::declared::{declared, unknown};

pub(super) static RULE: Rule = Rule::error("R004", include_str!("r004_unknown_attachment.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let names = declared(subject, ExposedKind::Attachment);
    let assertions = subject.manifest.checks.iter().flat_map(|check| &check.assertions);
    for name in assertions.filter_map(|assertion| assertion.attachment.as_ref()) {
        if !names.contains(name.as_str()) {
            unknown(&RULE, "attachment", name, &names, subject.document.node(name.at), report);
        }
    }
}
