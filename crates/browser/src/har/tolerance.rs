//! What a replay leaves out when it compares requests.

use serde_json::Value;

use super::request::AskedFor;

/// How deep the JSON of a body is searched for fields to leave out.
const MAX_DEPTH: usize = 64;

/// What a replay leaves out when it compares requests: parameters and fields that differ from load to load, such as cache
/// busters and timestamps. Headers are never compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tolerance {
    query: Vec<String>,
    body: Vec<String>,
}

impl Tolerance {
    /// Leaves out parameters of the query and fields of a JSON or form body by their names; `*` in a name stands for any
    /// text.
    pub fn of<Q: Into<String>, B: Into<String>>(
        query: impl IntoIterator<Item = Q>,
        body: impl IntoIterator<Item = B>,
    ) -> Self {
        Self {
            query: query.into_iter().map(Into::into).collect(),
            body: body.into_iter().map(Into::into).collect(),
        }
    }

    /// Whether nothing is left out.
    pub fn is_strict(&self) -> bool {
        self.query.is_empty() && self.body.is_empty()
    }

    /// The key of a request without what is left out.
    pub(super) fn applied(&self, mut asked: AskedFor) -> AskedFor {
        if !self.query.is_empty()
            && let Some((path, query)) = asked.url.split_once('?')
        {
            asked.url = match without(query, &self.query) {
                kept if kept.is_empty() => path.to_owned(),
                kept => format!("{path}?{kept}"),
            };
        }
        if !self.body.is_empty() && !asked.body.is_empty() {
            asked.body = self.without_fields(asked.body);
        }
        asked
    }

    fn without_fields(&self, body: Vec<u8>) -> Vec<u8> {
        if let Ok(mut json @ (Value::Object(_) | Value::Array(_))) = serde_json::from_slice(&body) {
            self.remove_fields(&mut json, MAX_DEPTH);
            json.sort_all_objects();
            return json.to_string().into_bytes();
        }
        match std::str::from_utf8(&body) {
            Ok(form) if form.contains('=') && !form.contains(['\n', ' ', '{']) => {
                without(form, &self.body).into_bytes()
            }
            _ => body,
        }
    }

    fn remove_fields(&self, json: &mut Value, depth: usize) {
        let Some(deeper) = depth.checked_sub(1) else { return };
        match json {
            Value::Object(fields) => {
                fields.retain(|name, _| !is_among(name, &self.body));
                fields.values_mut().for_each(|value| self.remove_fields(value, deeper));
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.remove_fields(item, deeper)),
            _ => {}
        }
    }
}

/// A query or form without the parameters of these names.
fn without(pairs: &str, names: &[String]) -> String {
    let kept: Vec<&str> =
        pairs.split('&').filter(|pair| !is_among(pair.split('=').next().unwrap_or(pair), names)).collect();
    kept.join("&")
}

fn is_among(name: &str, patterns: &[String]) -> bool {
    patterns.iter().any(|pattern| fits(pattern, name))
}

/// Whether a name fits a pattern in which `*` stands for any text.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, inner)) = parts.split_last() else { return rest.is_empty() };
    for part in inner {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_in_a_name_stands_for_any_text() {
        let all = [
            ("_", "_"),
            ("t*", "ts"),
            ("*", ""),
            ("utm_*", "utm_source"),
            ("*_at", "sent_at"),
            ("a*c*e", "abcde"),
        ];
        assert!(all.iter().all(|(pattern, name)| fits(pattern, name)));
        let none = [("_", "__"), ("t*", "at"), ("utm_*", "utm"), ("*_at", "at"), ("a*c*e", "ace_")];
        assert!(none.iter().all(|(pattern, name)| !fits(pattern, name)));
    }
}
