//! Safe identifiers: the names of tools, signals, states, projections and the ids of a map.

use crate::name_error::{Dots, NameError};

/// A safe identifier: parts joined by dots, each an ASCII letter followed by ASCII letters, digits, `_` or `-`.
///
/// ```
/// use actions_protocol::SafeName;
///
/// let name = SafeName::parse("search.submit").unwrap();
/// assert_eq!(name.segments().collect::<Vec<_>>(), ["search", "submit"]);
///
/// let error = SafeName::parse("search submit").unwrap_err();
/// assert_eq!(error.offset(), 6);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SafeName(String);

impl SafeName {
    /// Parses a name; the error names the character that is wrong.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        NameError::check(text, Dots::Join)?;
        Ok(Self(text.to_owned()))
    }

    /// The parts between the dots; there is always at least one.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('.')
    }

    /// The name with a namespace in front of it.
    ///
    /// ```
    /// use actions_protocol::SafeName;
    /// let name = SafeName::parse("submit").unwrap();
    /// let namespace = SafeName::parse("shop.search").unwrap();
    /// assert_eq!(name.with_namespace(&namespace).as_str(), "shop.search.submit");
    /// ```
    #[must_use]
    pub fn with_namespace(&self, namespace: &SafeName) -> SafeName {
        Self(format!("{namespace}.{self}"))
    }
}

crate::text::checked_text!(SafeName, NameError);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_part_and_of_many_are_safe() {
        for name in ["a", "Z", "search.submit", "a1_-", "a.b.c.d", "results-categories-launcher", "x_.y-"] {
            assert_eq!(SafeName::parse(name).unwrap().as_str(), name);
        }
    }

    #[test]
    fn an_unsafe_name_is_refused_with_the_character_and_its_place() {
        let names = [
            "",
            ".",
            "a.",
            ".a",
            "a..b",
            "1a",
            "a.1b",
            "-a",
            "_a",
            "a b",
            "a!",
            "über",
            "naïve",
            "a.b/c",
            "a\n",
            "a\u{200b}b",
            "…",
            "a{%b%}",
        ];
        let table: Vec<String> = names
            .iter()
            .map(|name| {
                let error = SafeName::parse(name).unwrap_err();
                format!("{name:?} at byte {}: {error}", error.offset())
            })
            .collect();
        insta::assert_snapshot!(table.join("\n"));
    }

    #[test]
    fn a_namespace_stands_in_front() {
        let name = SafeName::parse("submit").unwrap();
        let namespaced = name.with_namespace(&SafeName::parse("shop").unwrap());
        assert_eq!(namespaced.segments().collect::<Vec<_>>(), ["shop", "submit"]);
        assert_eq!(SafeName::parse(namespaced.as_str()).unwrap(), namespaced);
    }

    #[test]
    fn an_unsafe_name_in_json_is_refused_with_the_same_sentence() {
        let error = serde_json::from_str::<SafeName>("\"a b\"").unwrap_err();
        assert!(error.to_string().starts_with(&SafeName::parse("a b").unwrap_err().to_string()), "{error}");
    }
}
