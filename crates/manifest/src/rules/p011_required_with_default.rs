//! A required field has no default.
//!
//! A default stands in for what is missing, so a required field with a default is never missing, and `required` has only
//! one effect left: the default also replaces an empty text.
//!
//! Could be better:
//! ```json
//! { "title": { "selector": "h1", "required": true, "default": "" } }
//! ```
//!
//! Instead: leave out `default` to have a missing field reported, or `required` to have the default quietly.

use crate::document::Spot;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::advice("P011", include_str!("p011_required_with_default.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for field in subject.view.projections.iter().flat_map(|projection| projection.fields()) {
        let required = field.get("required").filter(|required| required.as_bool() == Some(true));
        let (Some(required), Some(default)) = (required, field.get("default")) else { continue };
        let name = field.key().unwrap_or_default();
        report
            .find(
                &RULE,
                Spot::Key(default),
                format!("the field `{name}` is required and has a default, so it is never missing"),
            )
            .help("leave out one of the two; as it is, the default also replaces an empty text")
            .related(Spot::Key(required), "required here");
    }
}
