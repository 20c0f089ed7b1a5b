//! A locator or target says which element is meant.
//!
//! `nth`, `frame`, `within`, `name` and notes narrow down what something else has found. One of `selector`, `selectors`,
//! `fallback_selectors`, `xpath`, `role`, `text`, `text_equals`, `text_contains` and `text_matches` must be there to find
//! it. The target of a tool, a check or a state may also be a condition on the page alone: `url_contains`, `url_matches`
//! or `state`.
//!
//! Breaks the rule:
//! ```json
//! { "locator": { "nth": 2, "frame": "iframe#editor" } }
//! ```
//!
//! Instead:
//! ```json
//! { "locator": { "selector": "[contenteditable]", "nth": 2, "frame": "iframe#editor" } }
//! ```

use crate::document::{Node, Spot};
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::{identifies, is_locator};

pub(super) static RULE: Rule = Rule::error("L003", include_str!("l003_says_nothing.rs"));

/// Conditions on the page.
const PAGE: &[&str] = &["url_contains", "url_matches", "state"];

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for target in &subject.view.targets {
        let of_page = PAGE.iter().any(|key| target.node.get(key).is_some());
        if !identifies(target.node) && (target.needs_element || !of_page) {
            tell(target.node, report);
        }
    }
    let args = subject.view.primitives.iter().filter_map(|used| used.args);
    let settles = subject.view.steps().filter_map(|step| step.settle_after);
    for place in args.chain(settles) {
        place.walk(&mut |node| {
            if is_locator(node) && !identifies(node) {
                tell(node, report);
            }
        });
    }
}

fn tell(node: Node<'_>, report: &mut Report) {
    let key = node.key().unwrap_or("the target");
    let help = match node.get("name").or(node.get("name_contains")) {
        Some(name) => format!("`{}` alone is not enough: add `role`", name.key().unwrap_or_default()),
        None => "add `selector`, or `role` and `name`, or `text_contains`".to_owned(),
    };
    report.find(&RULE, Spot::Key(node), format!("`{key}` does not say which element is meant")).help(help);
}
