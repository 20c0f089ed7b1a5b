//! Where two JSON values differ.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The most differences that are listed.
const MAX_DIFFERENCES: usize = 50;
/// How deep values are compared part by part; below that as a whole.
const MAX_DEPTH: usize = 64;

/// One place where what was found is not what was expected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The JSON pointer.
    pub path: String,
    /// What should be there; absent if nothing should.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Value>,
    /// What is there; absent if nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Value>,
}

/// Lists where two values differ, except at the ignored pointers, in which `*` stands for any key or index.
pub fn difference(expected: &Value, found: &Value, ignored: &[String]) -> Vec<Difference> {
    let ignored: Vec<Vec<&str>> =
        ignored.iter().map(|pointer| pointer.split('/').skip(1).collect()).collect();
    let mut comparison = Comparison { ignored, at: Vec::new(), list: Vec::new() };
    comparison.compare(Some(expected), Some(found));
    comparison.list
}

struct Comparison<'c> {
    ignored: Vec<Vec<&'c str>>,
    /// The keys, escaped as in a JSON pointer.
    at: Vec<String>,
    list: Vec<Difference>,
}

impl Comparison<'_> {
    fn compare(&mut self, expected: Option<&Value>, found: Option<&Value>) {
        if expected == found || self.list.len() >= MAX_DIFFERENCES || self.is_ignored() {
            return;
        }
        match (expected, found) {
            (Some(Value::Object(mine)), Some(Value::Object(theirs))) if self.at.len() < MAX_DEPTH => {
                let added = theirs.keys().filter(|key| !mine.contains_key(*key));
                for key in mine.keys().chain(added) {
                    self.inside(key, mine.get(key), theirs.get(key));
                }
            }
            (Some(Value::Array(mine)), Some(Value::Array(theirs))) if self.at.len() < MAX_DEPTH => {
                for index in 0..mine.len().max(theirs.len()) {
                    self.inside(&index.to_string(), mine.get(index), theirs.get(index));
                }
            }
            _ => {
                let path = self.at.iter().flat_map(|key| ["/", key]).collect();
                self.list.push(Difference { path, expected: expected.cloned(), found: found.cloned() });
            }
        }
    }

    fn inside(&mut self, key: &str, expected: Option<&Value>, found: Option<&Value>) {
        self.at.push(key.replace('~', "~0").replace('/', "~1"));
        self.compare(expected, found);
        self.at.pop();
    }

    fn is_ignored(&self) -> bool {
        let fits = |pattern: &Vec<&str>| {
            pattern.len() == self.at.len()
                && pattern.iter().zip(&self.at).all(|(part, key)| *part == "*" || part == key)
        };
        self.ignored.iter().any(fits)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn differences_are_listed_by_place_and_ignored_places_are_not() {
        let expected =
            json!({ "value": [{ "id": 1, "at": 5, "a/b": true }, { "id": 2, "at": 6 }], "gone": null });
        let found = json!({ "value": [{ "id": 1, "at": 9, "a/b": false }, { "id": 3, "at": 7 }, "more"] });
        let list = difference(&expected, &found, &["/value/*/at".to_owned()]);
        let lines: Vec<String> =
            list.iter().map(|each| format!("{} {:?} {:?}", each.path, each.expected, each.found)).collect();
        assert_eq!(
            lines,
            [
                "/value/0/a~1b Some(Bool(true)) Some(Bool(false))",
                "/value/1/id Some(Number(2)) Some(Number(3))",
                "/value/2 None Some(String(\"more\"))",
                "/gone Some(Null) None",
            ]
        );
        assert_eq!(difference(&expected, &expected, &[]), []);
    }
}
