//! Finds the named text fields of a request or response: of a form, a query or JSON.

use std::ops::Range;

use super::body::{boundary, find};

/// A field with a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: String,
    /// The text, decoded.
    pub(super) value: String,
    /// Where the encoded text stands in the bytes.
    pub(super) at: Range<usize>,
}

/// The fields of a body, by its content type. A body of another type has none.
pub(super) fn in_body(body: &[u8], content_type: &str) -> Vec<Field> {
    let kind = content_type.to_ascii_lowercase();
    if kind.contains("x-www-form-urlencoded") {
        return in_query(body, 0..body.len());
    }
    if let Some(boundary) = boundary(content_type) {
        return in_parts(body, boundary);
    }
    match kind.contains("json") {
        true => in_json(body),
        false => Vec::new(),
    }
}

/// The fields of the query and of the fragment of an address.
pub(super) fn in_address(address: &str) -> Vec<Field> {
    let start = address.find(['?', '#']).map_or(address.len(), |at| at + 1);
    in_query(address.as_bytes(), start..address.len())
}

fn in_query(bytes: &[u8], within: Range<usize>) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut from = within.start;
    for pair in bytes[within].split(|byte| matches!(byte, b'&' | b'#' | b'?')) {
        if let Some(sign) = pair.iter().position(|byte| *byte == b'=') {
            let at = from + sign + 1..from + pair.len();
            fields.push(Field { name: decoded(&pair[..sign]), value: decoded(&pair[sign + 1..]), at });
        }
        from += pair.len() + 1;
    }
    fields
}

/// Removes the percent encoding of a form.
pub(super) fn decoded(bytes: &[u8]) -> String {
    let mut plain = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (first, byte) {
            (b'%', Some(byte)) => {
                plain.push(byte);
                rest = &after[2..];
                continue;
            }
            (b'+', _) => plain.push(b' '),
            (first, _) => plain.push(*first),
        }
        rest = after;
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// The members of JSON objects whose value is a text, at any depth.
fn in_json(body: &[u8]) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut from = 0;
    while let Some(key) = text_from(body, from) {
        from = key.end;
        let Some(colon) = after_space(body, key.end).filter(|at| body[*at] == b':') else { continue };
        let Some(start) = after_space(body, colon + 1).filter(|at| body[*at] == b'"') else { continue };
        let Some(text) = text_from(body, start) else { break };
        from = text.end;
        let read = |range: &Range<usize>| serde_json::from_slice::<String>(&body[range.clone()]).ok();
        if let Some((name, value)) = read(&key).zip(read(&text)) {
            fields.push(Field { name, value, at: text.start + 1..text.end - 1 });
        }
    }
    fields
}

/// The next JSON text with its quotation marks.
fn text_from(body: &[u8], from: usize) -> Option<Range<usize>> {
    let start = from + body.get(from..)?.iter().position(|byte| *byte == b'"')?;
    let mut at = start + 1;
    while *body.get(at)? != b'"' {
        at += if body[at] == b'\\' { 2 } else { 1 };
    }
    Some(start..at + 1)
}

fn after_space(body: &[u8], from: usize) -> Option<usize> {
    let space = body.get(from..)?.iter().position(|byte| !byte.is_ascii_whitespace())?;
    Some(from + space)
}

/// The fields of a multipart form. Files are left out.
fn in_parts(body: &[u8], boundary: &str) -> Vec<Field> {
    let mark = format!("--{boundary}");
    let mut fields = Vec::new();
    let mut from = 0;
    while let Some(start) = find(&body[from..], mark.as_bytes()).map(|at| from + at + mark.len()) {
        from = start;
        let end = find(&body[start..], mark.as_bytes()).map_or(body.len(), |at| start + at);
        let Some(blank) = find(&body[start..end], b"\r\n\r\n").map(|at| start + at) else { continue };
        let head = String::from_utf8_lossy(&body[start..blank]).into_owned();
        let Some((_, name)) = head.split_once("name=\"").filter(|_| !head.contains("filename")) else {
            continue;
        };
        let name = name.split('"').next().unwrap_or_default().to_owned();
        let at = blank + 4..end.saturating_sub(2).max(blank + 4);
        let value = String::from_utf8_lossy(&body[at.clone()]).into_owned();
        fields.push(Field { name, value, at });
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields, each as `name=value`, after a check that each stands where it says.
    fn seen(body: &str, content_type: &str) -> Vec<String> {
        let fields = in_body(body.as_bytes(), content_type);
        fields
            .iter()
            .map(|field| format!("{}={} {}", field.name, field.value, &body[field.at.clone()]))
            .collect()
    }

    #[test]
    fn forms_and_json_have_fields() {
        let form = "application/x-www-form-urlencoded; charset=utf-8";
        assert_eq!(seen("a=1&pass%77ord=x+y%21&b", form), ["a=1 1", "password=x y! x+y%21"]);
        let json = r#"{"a": {"token" : "x\"y", "n": 1}, "list": ["z", {"b": ""}], "last": "#;
        assert_eq!(seen(json, "application/json"), [r#"token=x"y x\"y"#, "b= "]);
        let parts = "--B\r\nContent-Disposition: form-data; name=\"pin\"\r\n\r\n42\r\n--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\nx\r\n--B--\r\n";
        assert_eq!(seen(parts, "multipart/form-data; boundary=B"), ["pin=42 42"]);
        assert!(seen("a=1", "text/plain").is_empty() && seen("\"", "application/json").is_empty());
    }

    #[test]
    fn an_address_has_fields_in_its_query_and_fragment() {
        let found = in_address("https://a.example/x=1?code=9&state=s%20#access_token=t");
        let found: Vec<_> = found.iter().map(|field| (field.name.as_str(), field.value.as_str())).collect();
        assert_eq!(found, [("code", "9"), ("state", "s "), ("access_token", "t")]);
    }
}
