//! Templates: plain text in which `{{field.path}}` stands for a field of an item.

use actions_protocol::ErrorCode;
use serde_json::Value;

use crate::Failure;

/// Puts the fields of an item into a template, each written by `write`. Nothing is evaluated: what a field contains is
/// never a template.
pub(crate) fn fill(template: &str, item: &Value, write: impl Fn(&str) -> String) -> Result<String, Failure> {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((path, behind)) = after.split_once("}}") else { break };
        filled.push_str(before);
        filled.push_str(&write(&plain(field(item, path.trim())?)));
        rest = behind;
    }
    filled.push_str(rest);
    Ok(filled)
}

/// A value as text: a string as it is, null as nothing, anything else as JSON.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// The field of an item at a dotted path; `value` is the item itself, unless it has a field of this name.
fn field<'v>(item: &'v Value, path: &str) -> Result<&'v Value, Failure> {
    let step = |value: &'v Value, name: &str| match value {
        Value::Array(items) => name.parse::<usize>().ok().and_then(|index| items.get(index)),
        other => other.get(name),
    };
    let found = path.split('.').try_fold(item, step).or_else(|| (path == "value").then_some(item));
    found.ok_or_else(|| {
        let message = format!("the template names `{path}`, which the item does not have");
        let names: Vec<String> =
            item.as_object().into_iter().flatten().map(|(name, _)| name.clone()).take(50).collect();
        Failure::new(ErrorCode::TransferItemSelectorInvalid, message)
            .with_evidence("field", path)
            .with_evidence("fields", names)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::fill;
    use crate::Failure;

    fn text(template: &str, item: &serde_json::Value) -> Result<String, Failure> {
        fill(template, item, str::to_owned)
    }

    #[test]
    fn a_template_is_filled_once_and_evaluates_nothing() {
        let item = json!({ "a": { "b": [1, "{{c}}"] }, "c": null, "value": "own" });
        assert_eq!(text("<{{a.b.0}}|{{ a.b.1 }}|{{c}}>", &item).unwrap(), "<1|{{c}}|>");
        assert_eq!(text("{{value}} {{open", &item).unwrap(), "own {{open");
        assert_eq!(text("{{value}}", &json!(7)).unwrap(), "7");
        assert!(text("{{missing}}", &item).unwrap_err().message.contains("`missing`"));
    }
}
