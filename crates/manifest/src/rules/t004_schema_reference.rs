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

use super::Rule;
use crate::check::Subject;
use crate::document::Node;
use crate::finding::Report;
use crate::view::schemas::schemas;

pub(crate) static RULE: Rule = Rule::error("T004", include_str!("t004_schema_reference.rs")).checks(check);

fn check(subject: &Subject<'_>, report: &mut Report) {
    for schema in schemas(subject) {
        let root = subject.document.node(schema.at);
        root.walk(&mut |node| {
            let Some(reference) = reference(node) else { return };
            if !reference.starts_with('#') {
                report
                    .find(&RULE, node, format!("`{reference}` lies outside the schema and is never fetched"))
                    .help("copy it under `$defs` and refer to `#/$defs/…`");
            } else if reference.starts_with("#/") && root.at(&decoded(&reference[1..])).is_none() {
                report.find(&RULE, node, format!("`{reference}` points at nothing in this schema"));
            }
        });
    }
}

/// The text of a reference; a property or constant that happens to be called `$ref` is none.
fn reference(node: Node<'_>) -> Option<&str> {
    let named = matches!(node.key(), Some("$ref" | "$dynamicRef"));
    let holder = node.parent().and_then(Node::key);
    let data = matches!(holder, Some("properties" | "const" | "default" | "enum" | "examples" | "dependentRequired"));
    node.as_str().filter(|_| named && !data)
}

/// A fragment is percent-encoded where a JSON pointer is not.
fn decoded(fragment: &str) -> String {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let hex = (*first == b'%').then(|| tail.get(..2)).flatten();
        let byte = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
