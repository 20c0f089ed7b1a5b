//! The address of a request: its names replaced, its query completed.

use actions_protocol::ErrorCode;
use serde_json::{Map, Value};
use url::Url;

use crate::Failure;

/// The address with every `{name}` replaced by an encoded part of the path, and with more in its query.
pub(super) fn address(
    template: &str,
    path: &Map<String, Value>,
    query: &Map<String, Value>,
) -> Result<Url, Failure> {
    let refused = |why: String| Failure::new(ErrorCode::InvalidInput, why).with_evidence("url", template);
    let filled = fill(template, path).map_err(refused)?;
    let mut url =
        Url::parse(&filled).map_err(|error| refused(format!("the address cannot be read: {error}")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(refused(format!("`{}` is not http or https", url.scheme())));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refused(
            "the address names a user; credentials are stored with `actions auth set`".to_owned(),
        ));
    }
    url.set_fragment(None);
    for (name, value) in query {
        match value {
            Value::Array(values) => values.iter().for_each(|value| add(&mut url, name, value)),
            value => add(&mut url, name, value),
        }
    }
    Ok(url)
}

fn add(url: &mut Url, name: &str, value: &Value) {
    url.query_pairs_mut().append_pair(name, &text(value));
}

/// Replaces `{name}`. A value that would climb out of its place in the path is refused.
fn fill(template: &str, path: &Map<String, Value>) -> Result<String, String> {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, behind)) = after.split_once('}') else { break };
        filled += before;
        let value =
            path.get(name).ok_or_else(|| format!("nothing is given for `{{{name}}}` in the address"))?;
        let value = text(value);
        if value.is_empty() || value.chars().all(|c| c == '.') {
            return Err(format!("`{value}` cannot stand for `{{{name}}}` in the address"));
        }
        filled.extend(encoded(&value));
        rest = behind;
    }
    Ok(filled + rest)
}

/// A text as one part of a path.
fn encoded(text: &str) -> impl Iterator<Item = String> {
    text.bytes().map(|byte| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    })
}

/// A scalar as it stands in an address or a form.
pub(super) fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(template: &str, path: Value, query: Value) -> Result<String, String> {
        let object = |value: Value| value.as_object().cloned().unwrap_or_default();
        let url = address(template, &object(path), &object(query));
        url.map(|url| url.to_string()).map_err(|failure| failure.message)
    }

    #[test]
    fn a_value_in_the_path_stays_one_part_of_it() {
        let of_id = |id: &str| of("https://a.example/items/{id}/parts", json!({ "id": id }), json!({}));
        assert_eq!(of_id("a/b?c#d").as_deref(), Ok("https://a.example/items/a%2Fb%3Fc%23d/parts"));
        for climbing in ["..", ".", ""] {
            assert!(of_id(climbing).is_err(), "{climbing}");
        }
        assert!(of("https://a.example/{id}", json!({}), json!({})).is_err());
    }

    #[test]
    fn a_query_is_added_to_the_query_that_is_there() {
        let url = of("https://a.example/?x=1", json!({}), json!({ "q": "a b&c", "tag": ["m", 2] }));
        assert_eq!(url.as_deref(), Ok("https://a.example/?x=1&q=a+b%26c&tag=m&tag=2"));
    }

    #[test]
    fn other_schemes_and_users_are_refused() {
        for url in ["file:///etc/passwd", "javascript:1", "https://ada:pw@a.example/", "nothing"] {
            assert!(of(url, json!({}), json!({})).is_err(), "{url}");
        }
    }
}
