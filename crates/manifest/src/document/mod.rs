//! The text of a map as a tree in which every key and value knows its place.

mod node;
mod parse;
mod source;
mod spot;

use std::sync::Arc;

pub use node::{Kind, Node, NodeId};
pub(crate) use parse::{DuplicateKey, ParseFault};
pub use source::{Position, Source, Span};
pub use spot::Spot;

use node::NodeData;

/// A JSON document with positions.
#[derive(Debug)]
pub struct Document {
    source: Arc<Source>,
    nodes: Vec<NodeData>,
}

impl Document {
    /// Reads strict JSON; repeated keys come back beside the document.
    pub(crate) fn parse(source: Arc<Source>) -> Result<(Self, Vec<DuplicateKey>), ParseFault> {
        let (nodes, duplicates) = parse::parse(source.text())?;
        Ok((Self { source, nodes }, duplicates))
    }

    /// The text the document was read from.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// The outermost value.
    pub fn root(&self) -> Node<'_> {
        self.node(NodeId(0))
    }

    /// The node of this number.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        Node { document: self, id }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        Document::parse(Arc::new(Source::new("test.json", text))).expect("valid JSON").0
    }

    #[test]
    fn every_value_knows_its_pointer_and_place() {
        let document = document("{\n  \"a/b\": [1, {\"~x\": \"y\"}]\n}");
        let node = document.root().at("/a~1b/1/~0x").expect("there");
        assert_eq!(node.pointer(), "/a~1b/1/~0x");
        assert_eq!(document.source().position(node.span().start).column, 21);
        assert_eq!(node.key(), Some("~x"));
    }

    #[test]
    fn a_repeated_key_is_reported_and_keeps_its_first_value() {
        let source = Arc::new(Source::new("t", r#"{"a": 1, "b": {"c": 1, "c": 2}}"#));
        let (document, duplicates) = Document::parse(source).expect("valid JSON");
        assert_eq!(duplicates.len(), 1);
        assert_eq!(&*duplicates[0].key, "c");
        assert_eq!(document.root().at("/b/c").and_then(|c| c.as_number()).and_then(|n| n.as_u64()), Some(1));
    }

    #[test]
    fn offsets_inside_a_string_are_mapped_through_escapes() {
        let text = r#"{"e": "a\n\u00e9\ud83d\ude00b"}"#;
        let document = document(text);
        let node = document.root().get("e").expect("there");
        let value = node.as_str().expect("a string");
        assert_eq!(value, "a\né😀b");
        let span = node.span_in_string(value.find('b').expect("there"), 1);
        assert_eq!(&text[span.start..span.end], "b");
        let span = node.span_in_string(1, 1);
        assert_eq!(&text[span.start..span.end], "\\n");
    }

    #[test]
    fn only_strict_json_is_read() {
        for text in [
            "",
            " ",
            "{a: 1}",
            "[1,]",
            "[1 2]",
            "[1",
            "{\"a\" 1}",
            "{\"a\": 1,}",
            "{\"a\": 1",
            "{\"a\"",
            "// c\n1",
            "{'a': 1}",
            "0x10",
            "+1",
            ".5",
            "1.",
            "-",
            "1e",
            "-0",
            "1E+2",
            "1e999",
            "1e-999",
            "123456789012345678901234567890",
            "NaN",
            "truex",
            "1 2",
            "\u{a0}1",
            "\u{b}1",
            "1\u{2028}",
            "\"\\x41\"",
            "\"\\u00e9\\ud83d\\ude00\\/\"",
            "\"\\ud800\"",
            "\"\\ud800\\u0041\"",
            "\"\\udc00\"",
            "\"\\u12\"",
            "\"\\u+123\"",
            "\"a",
            "\"\\",
            "[01]",
            "\"\u{1}\"",
            "\"\u{7f}\"",
            "\"a\nb\"",
        ] {
            let ours = Document::parse(Arc::new(Source::new("t", text))).is_ok();
            let theirs = serde_json::from_str::<serde_json::Value>(text).is_ok();
            assert_eq!(ours, theirs, "{text:?}");
        }
    }
}
