//! A point comes from an element, not from a number.
//!
//! Coordinates that are written down are right for one window size on one day. Resolve the element and click that.
//!
//! Could be better:
//! ```json
//! { "id": "add", "primitive": "pointer.click", "args": { "x": 640, "y": 320 } }
//! ```
//!
//! Instead:
//! ```json
//! { "id": "add", "primitive": "pointer.click", "args": { "locator": { "selector": "#add-to-cart" } } }
//! ```

use actions_dictionary::Dictionary;

use crate::document::{Kind, Node};
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::advice("A002", include_str!("a002_geometry_as_identity.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let steps =
        subject.manifest.tools.iter().filter_map(|tool| tool.workflow.as_ref()).flat_map(|flow| &flow.steps);
    let is_gesture = |name: &str| Dictionary::builtin().get(name).is_some_and(|known| known.human_visible);
    for step in steps.filter(|step| is_gesture(&step.primitive)) {
        let Some(args) = subject.document.node(step.at).get("args") else { continue };
        for point in [Some(args), args.get("from"), args.get("to")].into_iter().flatten() {
            let written = |key| point.get(key).filter(|value: &Node<'_>| value.kind() == Kind::Number);
            if let (Some(x), Some(_)) = (written("x"), written("y")) {
                report
                    .find(&RULE, x, format!("`{}` points at written coordinates", *step.id))
                    .help("give a `locator`, or take the point from a step that found the element");
            }
        }
    }
}
