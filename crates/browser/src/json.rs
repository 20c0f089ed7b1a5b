//! Parses JSON text that comes from a page: it may contain half of a surrogate pair, which a Rust string cannot hold.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

/// Parses JSON text; an escaped lone surrogate becomes U+FFFD, as in any conversion to UTF-8.
pub(crate) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    serde_json::from_str(text).or_else(|error| match replace_lone_surrogates(text) {
        Cow::Owned(mended) => serde_json::from_str(&mended),
        Cow::Borrowed(_) => Err(error),
    })
}

fn replace_lone_surrogates(text: &str) -> Cow<'_, str> {
    let mut mended = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find('\\') {
        let start = at + found;
        match (escaped_unit(text, start), escaped_unit(text, start + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => at = start + 12,
            (Some(0xD800..=0xDFFF), _) => {
                mended.push_str(&text[copied..start]);
                mended.push_str("\\ufffd");
                at = start + 6;
                copied = at;
            }
            (Some(_), _) => at = start + 6,
            // Any other escape is one character after the backslash; not an ASCII one if this is no JSON at all.
            (None, _) => at = start + 1 + text[start + 1..].chars().next().map_or(0, char::len_utf8),
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    mended.push_str(&text[copied..]);
    Cow::Owned(mended)
}

/// The UTF-16 unit that `\uXXXX` at this place stands for.
fn escaped_unit(text: &str, start: usize) -> Option<u16> {
    let digits = text.get(start..start + 6)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::from_json;

    #[test]
    fn a_lone_surrogate_becomes_the_replacement_character() {
        assert_eq!(from_json::<String>(r#""a\ud83dz""#).unwrap(), "a\u{fffd}z");
        assert_eq!(from_json::<String>(r#""\ude00\ud83d\ud83d\ude00""#).unwrap(), "\u{fffd}\u{fffd}😀");
    }

    #[test]
    fn pairs_and_escaped_backslashes_are_left_alone() {
        assert_eq!(from_json::<String>(r#""\ud83d\ude00""#).unwrap(), "😀");
        assert_eq!(from_json::<String>(r#""\\ud83d \ud83d""#).unwrap(), "\\ud83d \u{fffd}");
    }

    #[test]
    fn text_that_is_not_json_stays_an_error() {
        assert!(from_json::<String>(r#""\ud83d"#).is_err());
        assert!(from_json::<String>("\\").is_err());
    }
}
