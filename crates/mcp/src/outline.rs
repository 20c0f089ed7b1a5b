//! The outline of a value: what is in it, in little text.

use serde_json::Value;

/// How many characters an outline may have.
const LONGEST: usize = 300;

/// How many characters of a text stand in an outline.
const TEXT: usize = 40;

/// How many members of an object are named.
const MEMBERS: usize = 12;

/// Describes a value: small values as they are, large ones by what they consist of.
pub(crate) fn outline(value: &Value) -> String {
    let described = describe(value, 0);
    if described.chars().count() <= LONGEST {
        return described;
    }
    kind(value)
}

fn describe(value: &Value, depth: usize) -> String {
    match value {
        Value::Object(members) if depth < 2 => {
            let shown = members.iter().take(MEMBERS).map(|(key, value)| match value {
                Value::Array(_) | Value::Object(_) if depth > 0 => format!("{key}: {}", kind(value)),
                value => format!("{key}: {}", describe(value, depth + 1)),
            });
            let more = if members.len() > MEMBERS { ", …" } else { "" };
            format!("{{{}{more}}}", shown.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) if depth < 2 => match items.first() {
            Some(Value::Object(first)) => {
                let keys: Vec<&str> = first.keys().take(MEMBERS).map(String::as_str).collect();
                format!("[{} × {{{}}}]", items.len(), keys.join(", "))
            }
            Some(first) => format!("[{} × {}]", items.len(), name_of(first)),
            None => "[]".to_owned(),
        },
        Value::String(text) if text.chars().count() > TEXT => {
            format!("text of {} characters", text.chars().count())
        }
        Value::Array(_) | Value::Object(_) => kind(value),
        plain => plain.to_string(),
    }
}

fn kind(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{} items]", items.len()),
        Value::Object(members) => format!("{{{} members}}", members.len()),
        Value::String(text) => format!("text of {} characters", text.chars().count()),
        plain => plain.to_string(),
    }
}

fn name_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_outline_says_what_is_there_and_is_short() {
        let found =
            json!({ "total": 17, "query": "maps", "results": [{ "id": "a", "title": "b" }, { "id": "c" }] });
        assert_eq!(outline(&found), r#"{total: 17, query: "maps", results: [2 × {id, title}]}"#);
        assert_eq!(outline(&json!("x".repeat(50))), "text of 50 characters");
        let many: serde_json::Map<String, Value> = (0..500)
            .map(|number| (format!("a_rather_long_key_{number}"), json!("a rather long value as well")))
            .collect();
        assert!(outline(&json!(many)).chars().count() <= LONGEST);
        let nested = json!([[[1]]]);
        assert_eq!(outline(&nested), "[1 × list]");
    }
}
