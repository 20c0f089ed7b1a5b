//! An extractor or field finds its elements in one way.
//!
//! With `selector` and `xpath` side by side it would be unclear which one the records come from.
//!
//! Breaks the rule:
//! ```json
//! { "id": "lists", "selector": "[data-list]", "xpath": "//section" }
//! ```
//!
//! Instead: keep one.

use crate::document::Spot;
use crate::finding::Report;
use crate::lower::subject as named;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("P002", include_str!("p002_selector_or_xpath.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for projection in &subject.view.projections {
        for node in projection.extract.iter().copied().chain(projection.fields()) {
            let (Some(selector), Some(xpath)) = (node.get("selector"), node.get("xpath")) else { continue };
            report
                .find(&RULE, Spot::Key(xpath), format!("{} has both `selector` and `xpath`", named(node)))
                .help("keep one")
                .related(Spot::Key(selector), "the other");
        }
    }
}
