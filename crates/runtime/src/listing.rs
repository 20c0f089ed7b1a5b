//! Joins what several maps of a session declare.

use serde_json::{Value, json};

/// Two listings as one. What the first declares hides what the second declares under the same name.
pub fn join_listings(mut first: Value, second: Value) -> Value {
    let Value::Object(second) = second else { return first };
    for (key, theirs) in second {
        let Value::Array(theirs) = theirs else { continue };
        let own = first[&key].as_array().cloned().unwrap_or_default();
        let name = |item: &Value| {
            ["name", "id", "path"].iter().find_map(|key| item[*key].as_str()).map(str::to_owned)
        };
        let known: Vec<Option<String>> = own.iter().map(name).collect();
        let (hidden, added): (Vec<_>, Vec<_>) =
            theirs.into_iter().partition(|item| known.contains(&name(item)));
        first[&key] = own.into_iter().chain(added).collect();
        if !hidden.is_empty() && key != "shadowed" {
            let names = hidden
                .iter()
                .filter_map(|item| Some(json!({ "kind": key, "name": name(item)?, "map": item.get("map") })));
            let before = first["shadowed"].as_array().cloned().unwrap_or_default();
            first["shadowed"] = before.into_iter().chain(names).collect();
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_keeps_the_first_of_a_name_and_lists_the_hidden_one() {
        let one = json!({ "surface": 1, "tools": [{ "name": "a", "from": 1 }] });
        let two = json!({ "surface": 2, "tools": [{ "name": "a", "from": 2 }, { "name": "b" }] });
        let expected = json!({
            "surface": 1, "tools": [{ "name": "a", "from": 1 }, { "name": "b" }],
            "shadowed": [{ "kind": "tools", "name": "a", "map": null }],
        });
        assert_eq!(join_listings(one, two), expected);
    }
}
