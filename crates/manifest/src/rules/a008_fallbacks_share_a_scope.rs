//! Fallback selectors fall back on something else.
//!
//! When every fallback begins with the same ancestor as the preferred selector, they all go the day that ancestor
//! does.
//!
//! Could be better:
//! ```json
//! { "selector": "#app-v2 .search button", "fallback_selectors": ["#app-v2 .search [type='submit']"] }
//! ```
//!
//! Instead:
//! ```json
//! { "selector": "#app-v2 .search button", "fallback_selectors": ["form[role='search'] [type='submit']"] }
//! ```

use crate::document::{Node, Spot};
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::advice("A008", include_str!("a008_fallbacks_share_a_scope.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    subject.document.root().walk(&mut |node| {
        let (Some(selector), Some(fallbacks)) =
            (node.get("selector").and_then(Node::as_str), node.get("fallback_selectors"))
        else {
            return;
        };
        let Some(scope) = scope(selector) else { return };
        let mut others = fallbacks.elements().filter_map(Node::as_str).peekable();
        if others.peek().is_some() && others.all(|other| self::scope(other) == Some(scope)) {
            report
                .find(&RULE, Spot::Key(fallbacks), format!("every fallback is lost together with `{scope}`"))
                .help("add one that does not begin with the same ancestor");
        }
    });
}

/// The first compound of a selector that has more than one, when it is specific enough to be lost.
fn scope(selector: &str) -> Option<&str> {
    let (first, _) = selector.trim().split_once([' ', '>'])?;
    first.contains(['#', '.', '[']).then_some(first)
}
