//! Where in a text a JSON pointer leads, found without the reader under test.

use std::ops::Range;

use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions};

/// The bytes a JSON pointer leads to, the key included; of repeated keys the first counts.
pub(crate) fn range_of(text: &str, pointer: &str) -> Option<Range<usize>> {
    let parsed =
        jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default()).ok()?;
    let root = parsed.value?;
    let mut range = root.range();
    let mut at = &root;
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        match at {
            Value::Object(object) => {
                let property = object.properties.iter().find(|property| property.name.as_str() == step)?;
                range = property.range();
                at = &property.value;
            }
            Value::Array(array) => {
                at = array.elements.get(step.parse::<usize>().ok()?)?;
                range = at.range();
            }
            _ => return None,
        }
    }
    Some(range.start..range.end)
}

#[cfg(test)]
mod tests {
    use super::range_of;

    #[test]
    fn a_pointer_leads_to_a_key_and_its_value() {
        let text = r#"{"a": [1, {"b/c": true}]}"#;
        let found = |pointer| range_of(text, pointer).and_then(|range| text.get(range));
        assert_eq!(found("/a/1/b~1c"), Some(r#""b/c": true"#));
        assert_eq!(found("/a/0"), Some("1"));
        assert_eq!(found("/b"), None);
    }
}
