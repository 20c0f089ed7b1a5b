//! A selector is CSS that Chromium understands and that can find an element.
//!
//! Selectors stand in targets, locators, frames and extractors. One that does not parse fails on every page. Some that
//! a browser takes are refused as well, because they can never find what was meant: pseudo-elements, and pseudo-classes
//! it does not know inside `:is()` and `:where()`, which it drops in silence.
//!
//! Breaks the rule:
//! ```json
//! { "selector": "button:contains('Buy')" }
//! ```
//!
//! Instead:
//! ```json
//! { "selector": "button", "text_contains": "Buy" }
//! ```

use crate::css::SelectorList;
use crate::document::Spot;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Language;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("L001", include_str!("l001_invalid_css.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for selector in subject.view.selectors.iter().filter(|selector| selector.language == Language::Css) {
        let Err(error) = SelectorList::parse(selector.text) else { continue };
        let spot = Spot::Within { node: selector.node, offset: error.offset, len: error.len };
        report.find(&RULE, spot, error.message).maybe_help(error.help);
    }
}
