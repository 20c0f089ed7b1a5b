//! Reads the fields at the top of a Markdown file.

use serde_json::{Map, Value};

/// How many fields and items are read.
const MOST: usize = 200;

/// The fields between two lines of `---` at the top of a Markdown file: `name: value`, and lists of values below a name.
/// Anything deeper stays text. `None` if there are none.
pub(super) fn front_matter(text: &str) -> Option<Map<String, Value>> {
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    if lines.next()?.trim_end() != "---" {
        return None;
    }
    let mut fields = Map::new();
    let mut open: Option<String> = None;
    for line in lines {
        if line.trim_end() == "---" {
            return Some(fields);
        }
        if fields.len() == MOST {
            return None;
        }
        match (line.trim_start().strip_prefix("- "), &open) {
            (Some(item), Some(name)) => add_item(&mut fields, name, scalar(item)),
            _ if line.starts_with(char::is_whitespace) || line.trim_start().starts_with('#') => {}
            _ => {
                let Some((name, value)) = line.split_once(':') else { continue };
                let name = name.trim().to_owned();
                fields.insert(name.clone(), scalar(value));
                open = Some(name);
            }
        }
    }
    // The block is never closed, so it is a part of the text.
    None
}

fn add_item(fields: &mut Map<String, Value>, name: &str, item: Value) {
    let Some(field) = fields.get_mut(name) else { return };
    match field {
        Value::Array(items) if items.len() < MOST => items.push(item),
        Value::Null => *field = Value::Array(vec![item]),
        _ => {}
    }
}

/// A value as it stands behind a name or a dash.
fn scalar(text: &str) -> Value {
    let text = text.trim();
    let quoted = |mark: char| text.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
    if let Some(inner) = quoted('"').or_else(|| quoted('\'')) {
        return Value::from(inner);
    }
    if let Some(items) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let items = items.split(',').filter(|item| !item.trim().is_empty()).take(MOST);
        return items.map(scalar_item).collect();
    }
    scalar_item(text)
}

fn scalar_item(text: &str) -> Value {
    let text = text.trim();
    match text {
        "" | "~" | "null" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => match text.parse::<i64>() {
            Ok(number) => Value::from(number),
            Err(_) => Value::from(text.trim_matches(['"', '\''])),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::front_matter;

    #[test]
    fn fields_lists_and_quotes_are_read() {
        let text = "---\nname: 'A: guide'\nsteps: 3\ntags:\n  - one\n  - two\nkeys: [a, b]\n---\n# Title\n";
        let fields = front_matter(text).expect("there are fields");
        assert_eq!(
            json!(fields),
            json!({ "name": "A: guide", "steps": 3, "tags": ["one", "two"], "keys": ["a", "b"] })
        );
    }

    #[test]
    fn a_text_without_a_closed_block_has_no_fields() {
        assert!(
            ["", "# Title", "---\nname: x\n", "text\n---\n"].iter().all(|text| front_matter(text).is_none())
        );
    }
}
