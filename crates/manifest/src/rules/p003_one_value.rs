//! A field takes one value.
//!
//! It is an attribute, or a property, or an object of nested `fields`; without any of them it is the visible text. Two
//! of them at once cannot both be the value.
//!
//! Breaks the rule:
//! ```json
//! { "link": { "selector": "a", "attribute": "href", "property": "innerText" } }
//! ```
//!
//! Instead: one field for each value.
//! ```json
//! { "link": { "selector": "a", "attribute": "href" }, "label": { "selector": "a", "property": "innerText" } }
//! ```

use crate::document::Spot;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("P003", include_str!("p003_one_value.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for field in subject.view.projections.iter().flat_map(|projection| projection.fields()) {
        let sources = ["attribute", "property", "fields"].iter().filter_map(|key| field.get(key));
        let mut sources: Vec<_> = sources.collect();
        sources.sort_by_key(|source| source.key_span().start);
        let [first, others @ ..] = sources.as_slice() else { continue };
        for other in others {
            let (a, b) = (first.key().unwrap_or_default(), other.key().unwrap_or_default());
            let name = field.key().unwrap_or_default();
            report
                .find(&RULE, Spot::Key(*other), format!("the field `{name}` has both `{a}` and `{b}`"))
                .help("keep one; a second value is a second field")
                .related(Spot::Key(*first), "the other");
        }
    }
}
