//! A schema refers only to its own parts.
//!
//! `$ref` and `$dynamicRef` point into the same schema (`#/$defs/…`). Nothing is ever fetched: what a remote schema
//! says tomorrow has not been reviewed today.
//!
//! Breaks the rule:
//! ```json
//! { "type": "object", "properties": { "address": { "$ref": "https://example.com/address.json" } } }
//! ```
//!
//! Instead:
//! ```json
//! {
//!   "type": "object",
//!   "properties": { "address": { "$ref": "#/$defs/address" } },
//!   "$defs": { "address": { "type": "string" } }
//! }
//! ```

use crate::document::Node;
use crate::finding::Report;
use crate::rule::Rule;
use crate::schema::References;
use crate::view::Subject;
use crate::view::schemas::schemas;

pub(super) static RULE: Rule = Rule::error("T004", include_str!("t004_schema_reference.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for schema in schemas(subject) {
        let root = subject.document.node(schema.at);
        let references = References::of(&schema.schema);
        root.walk(&mut |node| {
            let Some(reference) = reference(node) else { return };
            if !reference.starts_with('#') {
                report
                    .find(&RULE, node, format!("`{reference}` lies outside the schema and is never fetched"))
                    .help("copy it under `$defs` and refer to `#/$defs/…`");
            } else if references.is_dangling(reference) {
                report.find(&RULE, node, format!("`{reference}` points at nothing in this schema"));
            }
        });
    }
}

/// The text of a reference; a property or constant that happens to be called `$ref` is none.
fn reference(node: Node<'_>) -> Option<&str> {
    let named = matches!(node.key(), Some("$ref" | "$dynamicRef"));
    let holder = node.parent().and_then(Node::key);
    let data = matches!(
        holder,
        Some("properties" | "const" | "default" | "enum" | "examples" | "dependentRequired")
    );
    node.as_str().filter(|_| named && !data)
}
