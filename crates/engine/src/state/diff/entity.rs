//! Names the items of a state, so that a diff can say which one changed.

use serde::Serialize;
use serde_json::Value;

/// The members that tell an item of an array from its siblings, the best first.
const IDENTITIES: &[&str] = &["id", "key", "name", "title"];

/// The members that name an item for people.
const NAMES: &[&str] = &["name", "title", "subject"];

/// Something a state speaks of: an item of an array, or the state as a whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entity {
    /// What it is: the name of its array in the singular, or `state`.
    pub kind: String,
    /// What tells it from its siblings, where that is not its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Value>,
    /// What people call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Entity {
    /// The state as a whole.
    pub(super) fn state() -> Self {
        Self { kind: "state".to_owned(), id: None, name: None }
    }

    /// An item of an array of this name.
    pub(super) fn item(array: &str, identity: Option<&str>, item: &Value) -> Self {
        let texts = NAMES.iter().filter_map(|name| item.get(name)?.as_str());
        let name = texts.map(str::to_owned).find(|text| !text.is_empty());
        let id = identity.filter(|member| !NAMES.contains(member)).and_then(|member| item.get(member));
        Self { kind: singular(array), id: id.cloned(), name }
    }
}

/// The member that identifies the items of both arrays: they all have it, it is a text or a number, and no
/// two items of an array share it.
pub(super) fn identity(before: &[Value], after: &[Value]) -> Option<&'static str> {
    IDENTITIES.iter().copied().find(|member| is_unique(member, before) && is_unique(member, after))
}

fn is_unique(member: &str, items: &[Value]) -> bool {
    let mut seen = std::collections::HashSet::with_capacity(items.len());
    items.iter().all(|item| item.get(member).is_some_and(|id| is_identity(id) && seen.insert(id)))
}

fn is_identity(id: &Value) -> bool {
    id.is_number() || id.as_str().is_some_and(|text| !text.is_empty())
}

/// The singular of an English plural, as far as its ending tells.
fn singular(plural: &str) -> String {
    let lower = plural.to_lowercase();
    if let Some(stem) = plural.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    if ["sses", "shes", "ches", "xes", "zes"].iter().any(|ending| lower.ends_with(ending)) {
        return plural[..plural.len() - 2].to_owned();
    }
    match plural.strip_suffix('s') {
        Some(stem) if !stem.is_empty() && !lower.ends_with("ss") && !lower.ends_with("us") => stem.to_owned(),
        _ => plural.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_names_the_kind_of_its_items() {
        let table = [
            ("cards", "card"),
            ("lists", "list"),
            ("entries", "entry"),
            ("boxes", "box"),
            ("branches", "branch"),
            ("addresses", "address"),
            ("pages", "page"),
            ("status", "status"),
            ("data", "data"),
            ("s", "s"),
            ("", ""),
        ];
        for (plural, expected) in table {
            assert_eq!(singular(plural), expected, "{plural}");
        }
    }
}
