//! Names of tools, made of the ids that sites chose.

use std::collections::BTreeMap;

use actions_engine::{CallError, ErrorCode, SafeName};
use url::Url;

/// Two ids of a document that would become one name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the actions `{first}` and `{second}` would both be called `{name}`")]
pub struct NameCollision {
    /// The id that came first.
    pub first: String,
    /// The id that came later.
    pub second: String,
    /// The name.
    pub name: String,
}

impl From<&NameCollision> for CallError {
    fn from(collision: &NameCollision) -> Self {
        CallError::new(ErrorCode::NameCollision, collision.to_string())
            .with_evidence("first", collision.first.clone())
            .with_evidence("second", collision.second.clone())
            .with_evidence("hint", "the site has to give its actions names that differ in letters and digits")
    }
}

/// The longest name that is made.
const LONGEST: usize = 100;

/// The safe name of an id. A safe id is its own name; in any other, every character that is not safe becomes `_`, and a name
/// that does not begin with a letter gets `a_` in front.
///
/// ```
/// use actions_interop::record::safe_name;
/// assert_eq!(safe_name("search-books"), "search-books");
/// assert_eq!(safe_name("gitpusher.push"), "gitpusher.push");
/// assert_eq!(safe_name("2nd hand/søk"), "a_2nd_hand_s_k");
/// ```
pub fn safe_name(id: &str) -> String {
    if id.len() <= LONGEST && SafeName::parse(id).is_ok() {
        return id.to_owned();
    }
    let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
    let name: String = id.chars().map(safe).take(LONGEST).collect();
    match name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => name,
        false => format!("a_{name}"),
    }
}

/// The namespace of a site: its host, with everything that is not safe replaced.
///
/// ```
/// use actions_interop::record::namespace_of;
/// assert_eq!(namespace_of("https://www.bookstore.example.com"), "bookstore_example_com");
/// assert_eq!(namespace_of("http://127.0.0.1:8080/x"), "a_127_0_0_1");
/// ```
pub fn namespace_of(origin: &str) -> String {
    let host = Url::parse(origin).ok().and_then(|url| url.host_str().map(str::to_owned));
    let host = host.unwrap_or_else(|| origin.to_owned());
    safe_name(&host.strip_prefix("www.").unwrap_or(&host).replace('.', "_"))
}

/// The names of ids, in their order. Two ids that would become one name are an error, never two names by a number.
pub(super) fn names<'i>(
    ids: impl IntoIterator<Item = &'i str>,
) -> Result<BTreeMap<&'i str, String>, NameCollision> {
    let mut by_name: BTreeMap<String, &str> = BTreeMap::new();
    let mut by_id = BTreeMap::new();
    for id in ids {
        let name = safe_name(id);
        // Tool names that differ only in case or in `.` would not be told apart by every client.
        let key = name.to_ascii_lowercase().replace(['.', '-'], "_");
        if let Some(first) = by_name.insert(key, id) {
            return Err(NameCollision { first: first.to_owned(), second: id.to_owned(), name });
        }
        by_id.insert(id, name);
    }
    Ok(by_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_collide_after_sanitising_are_refused_and_never_numbered() {
        let collision = names(["add item", "add/item"]).unwrap_err();
        assert_eq!(collision.name, "add_item");
        assert_eq!((collision.first.as_str(), collision.second.as_str()), ("add item", "add/item"));
        assert!(names(["add item", "add_item"]).is_err());
        assert!(names(["a", "b"]).is_ok());
    }

    #[test]
    fn every_id_gets_a_safe_name() {
        for id in ["", "_", "9", "ä", "a b", "{x}", "..", "a..b", &"x".repeat(500)] {
            let name = safe_name(id);
            assert!(SafeName::parse(&name).is_ok(), "{id:?} became {name:?}");
        }
    }
}
