//! Writes JSON, also the kind a serializer would not write.

use serde_json::{Map, Value};

/// A member that is written a second time.
pub(crate) struct Repeat<'r> {
    /// The object, by its address.
    pub(crate) object: *const Map<String, Value>,
    /// The key.
    pub(crate) key: &'r str,
    /// The second value.
    pub(crate) value: &'r Value,
}

/// The value as indented JSON, optionally with one member repeated.
pub(crate) fn write(value: &Value, repeat: Option<Repeat<'_>>) -> String {
    let mut text = String::new();
    write_into(&mut text, value, repeat.as_ref(), 0);
    text.push('\n');
    text
}

fn write_into(text: &mut String, value: &Value, repeat: Option<&Repeat<'_>>, depth: usize) {
    match value {
        Value::Array(elements) if !elements.is_empty() => {
            text.push('[');
            for (index, element) in elements.iter().enumerate() {
                new_line(text, index > 0, depth + 1);
                write_into(text, element, repeat, depth + 1);
            }
            new_line(text, false, depth);
            text.push(']');
        }
        Value::Object(members) if !members.is_empty() => {
            text.push('{');
            for (index, (key, member)) in members.iter().enumerate() {
                new_line(text, index > 0, depth + 1);
                write_member(text, key, member, repeat, depth + 1);
                if let Some(again) =
                    repeat.filter(|again| std::ptr::eq(again.object, members) && again.key == key)
                {
                    new_line(text, true, depth + 1);
                    write_member(text, key, again.value, None, depth + 1);
                }
            }
            new_line(text, false, depth);
            text.push('}');
        }
        leaf => text.push_str(&leaf.to_string()),
    }
}

fn write_member(text: &mut String, key: &str, value: &Value, repeat: Option<&Repeat<'_>>, depth: usize) {
    text.push_str(&Value::from(key).to_string());
    text.push_str(": ");
    write_into(text, value, repeat, depth);
}

fn new_line(text: &mut String, comma: bool, depth: usize) {
    text.push_str(if comma { ",\n" } else { "\n" });
    text.extend(std::iter::repeat_n("  ", depth));
}
