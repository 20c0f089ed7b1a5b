//! A schema can be evaluated quickly.
//!
//! References that double at every level turn a few lines into more work than a machine can do. One schema has at most
//! 2,000 parts, at most 1,000 of them apply to one value (a part that several references lead to counts each time), and
//! its patterns have at most 20,000 states once their repetitions are written out. A schema that refers to itself does so
//! through a part of the value, such as `properties` or `items`.
//!
//! Breaks the rule:
//! ```json
//! { "type": "string", "pattern": "^([a-z]{1,500} ){1,500}$" }
//! ```
//!
//! Instead: say it once, or allow more and let the tool find out.
//! ```json
//! { "type": "string", "pattern": "^[a-z ]+$", "maxLength": 250000 }
//! ```

use actions_protocol::limits;

use crate::document::Spot;
use crate::finding::Report;
use crate::rule::Rule;
use crate::schema::Extent;
use crate::view::Subject;
use crate::view::schemas::schemas;

pub(super) static RULE: Rule = Rule::error("T012", include_str!("t012_schema_too_complex.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for schema in schemas(subject) {
        let Some(excess) = Extent::excess(&schema.schema) else { continue };
        let (message, help) = explained(excess);
        let node = subject.document.node(schema.at);
        report.find(&RULE, Spot::Key(node), format!("this schema {message}")).help(help);
    }
}

fn explained(excess: Extent) -> (String, &'static str) {
    match excess {
        Extent::TooManyParts => {
            (format!("has more than {} parts", limits::SCHEMA_PARTS), "describe only what the tool needs")
        }
        Extent::TooManyAtOnce => (
            format!("applies more than {} of its parts to one value", limits::SCHEMA_AT_ONCE),
            "refer to each part once",
        ),
        Extent::Endless => (
            "refers to itself without looking at a part of the value".to_owned(),
            "refer to it below `properties` or `items`",
        ),
        Extent::PatternsTooLarge => (
            format!("has patterns of more than {} states", limits::PATTERN_STATES),
            "repeat with `*` and `+`, and bound the text with `maxLength`",
        ),
    }
}
