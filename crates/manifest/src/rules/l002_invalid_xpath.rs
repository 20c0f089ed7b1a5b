//! An XPath expression is valid XPath 1.0 and gives nodes.
//!
//! Browsers know version 1.0 and its functions, no prefixes and no variables. An expression that counts or compares gives
//! a number or a truth, not an element.
//!
//! Breaks the rule:
//! ```json
//! { "xpath": "//li[ends-with(@id, '-card')]" }
//! ```
//!
//! Instead:
//! ```json
//! { "selector": "li[id$='-card']" }
//! ```

use crate::document::Spot;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Language;
use crate::view::Subject;
use crate::xpath::{Gives, XPath};

pub(super) static RULE: Rule = Rule::error("L002", include_str!("l002_invalid_xpath.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for selector in subject.view.selectors.iter().filter(|selector| selector.language == Language::XPath) {
        let node = selector.node;
        match XPath::parse(selector.text).map(XPath::gives) {
            Ok(Gives::Nodes) => {}
            Ok(other) => {
                let message = format!("the expression gives {}, not elements", other.as_str());
                report
                    .find(&RULE, node, message)
                    .help("a condition stands in brackets behind a path: `//li[…]`");
            }
            Err(error) => {
                let spot = Spot::Within { node, offset: error.offset, len: error.len };
                report.find(&RULE, spot, error.message).maybe_help(error.help);
            }
        }
    }
}
