//! A selector identifies its element.
//!
//! A bare tag such as `button` or `div` matches whatever comes first, and tomorrow that is something else. Use an id,
//! an attribute made for tests, a role with a name, or text.
//!
//! Could be better:
//! ```json
//! { "locator": { "selector": "button" } }
//! ```
//!
//! Instead:
//! ```json
//! { "locator": { "role": "button", "name": "Add to cart" } }
//! ```

use crate::document::Node;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::advice("A001", include_str!("a001_broad_selector.rs"));

/// Tags that are many on most pages.
const COMMON: &[&str] = &[
    "*", "a", "button", "div", "form", "img", "input", "label", "li", "p", "section", "select", "span", "td",
    "textarea", "tr", "ul",
];

/// Keys that make up for a broad selector.
const NARROWING: &[&str] = &[
    "text",
    "text_equals",
    "text_contains",
    "text_matches",
    "name_contains",
    "name_matches",
    "has",
    "not",
    "within",
    "retarget",
    "xpath",
];

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for tool in &subject.manifest.tools {
        let node = subject.document.node(tool.at);
        [node.get("target"), node.get("workflow"), node.get("x_actions")].into_iter().flatten().for_each(
            |part| {
                part.walk(&mut |node| broad(node, report));
            },
        );
    }
}

fn broad(node: Node<'_>, report: &mut Report) {
    if node.key() != Some("selector") {
        return;
    }
    let Some(selector) = node.as_str().map(str::trim).filter(|selector| COMMON.contains(selector)) else {
        return;
    };
    let acts =
        node.parent().filter(|parent| matches!(parent.key(), Some("locator" | "target" | "from" | "to")));
    let Some(locator) = acts else { return };
    let by_role = locator.get("role").is_some() && locator.get("name").is_some();
    if !by_role && !NARROWING.iter().any(|key| locator.get(key).is_some()) {
        report
            .find(&RULE, node, format!("`{selector}` matches whatever comes first"))
            .help("add an id, an attribute, `text_equals`, or `role` with `name`");
    }
}
