//! Reads bytes into a document, or reports why they are not one.

use std::sync::Arc;

use actions_protocol::limits;

use crate::document::{Document, Kind, ParseFault, Source, Span};
use crate::finding::Report;
use crate::reading::{
    j001_not_json, j002_duplicate_key, j003_not_utf8, j004_byte_order_mark, j005_file_too_large,
    j006_nested_too_deep, j007_root_not_object,
};

/// Reads bytes into a document whose root is an object; every reason against it is reported.
pub fn read(name: &str, bytes: &[u8], report: &mut Report) -> Option<Document> {
    if !limits::MAP_BYTES.allows(bytes.len()) {
        let source = Arc::new(Source::new(name, String::new()));
        let message = format!("the file has more than {}, which is the limit", limits::MAP_BYTES);
        report
            .find_in(&j005_file_too_large::RULE, &source, String::new(), Span::new(0, 0), message)
            .help("split the map and compose the parts with `imports`");
        return None;
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let good = error.valid_up_to();
            let source = Arc::new(Source::new(name, String::from_utf8_lossy(bytes)));
            let message = format!("byte {good} of the file is not UTF-8");
            report
                .find_in(&j003_not_utf8::RULE, &source, String::new(), Span::new(good, good), message)
                .help("save the file as UTF-8");
            return None;
        }
    };
    if text.starts_with('\u{feff}') {
        let source = Arc::new(Source::new(name, text));
        report
            .find_in(
                &j004_byte_order_mark::RULE,
                &source,
                String::new(),
                Span::new(0, 3),
                "the file begins with a byte order mark",
            )
            .help("save the file as UTF-8 without a byte order mark");
        return None;
    }
    parse(Arc::new(Source::new(name, text)), report)
}

fn parse(source: Arc<Source>, report: &mut Report) -> Option<Document> {
    let (document, duplicates) = match Document::parse(Arc::clone(&source)) {
        Ok(parsed) => parsed,
        Err(ParseFault::NotJson { span, message }) => {
            // The message quotes the text.
            let message = if source.may_be_shown() {
                format!("this is not JSON: {message}")
            } else {
                "this is not JSON: a map begins with `{`".to_owned()
            };
            report.find_in(&j001_not_json::RULE, &source, String::new(), span, message);
            return None;
        }
        Err(ParseFault::TooDeep { span }) => {
            let message = format!("arrays and objects nest more than {} levels deep", limits::MAP_DEPTH);
            report.find_in(&j006_nested_too_deep::RULE, &source, String::new(), span, message);
            return None;
        }
    };
    for duplicate in duplicates {
        let pointer = document.node(duplicate.object).pointer();
        report
            .find_in(
                &j002_duplicate_key::RULE,
                &source,
                format!("{pointer}/{}", duplicate.key.replace('~', "~0").replace('/', "~1")),
                duplicate.second,
                format!("the key `{}` stands twice in this object", duplicate.key),
            )
            .help("keep one of the two")
            .related_span(duplicate.first, "the first one");
    }
    if document.root().kind() != Kind::Object {
        let message = format!("the file holds {}, not an object", document.root().kind().with_article());
        report.find(&j007_root_not_object::RULE, document.root(), message);
        return None;
    }
    Some(document)
}
