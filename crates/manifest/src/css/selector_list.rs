//! A parsed list of CSS selectors.

use super::{CssError, grammar};

/// A list of CSS selectors, in the order of its alternatives.
///
/// ```
/// use actions_manifest::css::SelectorList;
///
/// let list = SelectorList::parse("#buy, button:is(.primary, [data-buy])").expect("valid CSS");
/// let alternatives: Vec<_> = list.alternatives().iter().map(|one| one.text.as_str()).collect();
/// assert_eq!(alternatives, ["#buy", "button:is(.primary, [data-buy])"]);
///
/// let error = SelectorList::parse("button:contains('Buy')").expect_err("this is jQuery");
/// assert_eq!((error.offset, error.len), (6, 9));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectorList {
    alternatives: Vec<Alternative>,
}

/// One selector of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The selector, without the white space around it.
    pub text: String,
    /// Its byte offset in the list.
    pub offset: usize,
}

impl SelectorList {
    /// Parses a list; the error has the place of the first fault.
    pub fn parse(text: &str) -> Result<Self, CssError> {
        let spans = grammar::parse(text)?;
        let alternative =
            |(start, end): (usize, usize)| Alternative { text: text[start..end].to_owned(), offset: start };
        Ok(Self { alternatives: spans.into_iter().map(alternative).collect() })
    }

    /// The selectors, in order; at least one.
    pub fn alternatives(&self) -> &[Alternative] {
        &self.alternatives
    }
}
