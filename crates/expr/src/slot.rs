//! Slots: strings that are wholly `{% … %}`.

/// The text of an expression found in a string, and where it stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot<'a> {
    /// The expression, without the marks and without the white space around it.
    pub body: &'a str,
    /// The byte offset of `body` in the string it was found in.
    pub offset: usize,
}

/// A string that holds a slot mark but is not a slot as a whole.
///
/// Such a string is always an error: there is no way to write a literal `{%` or `%}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a slot must be the whole string; `{{% … %}}` cannot be mixed with other text")]
pub struct PartialSlot {
    /// The byte offset of the first mark that is out of place.
    pub offset: usize,
}

const OPEN: &str = "{%";
const CLOSE: &str = "%}";

impl PartialSlot {
    /// The stable code of this error.
    pub const fn code(&self) -> actions_protocol::ErrorCode {
        actions_protocol::ErrorCode::PartialExpressionUnsupported
    }

    /// What the author can do about it.
    pub const fn hint(&self) -> &'static str {
        "make the whole string one slot and join the parts inside it: {% 'text ' & input.name %}"
    }
}

impl<'a> Slot<'a> {
    /// Finds the slot that makes up `text`, if there is one.
    ///
    /// White space around the marks is allowed, and so are line breaks in the body. The body may hold a mark only
    /// inside quotes.
    ///
    /// ```
    /// use actions_expr::{PartialSlot, Slot};
    /// assert_eq!(Slot::find("{% input.query %}"), Ok(Some(Slot { body: "input.query", offset: 3 })));
    /// assert_eq!(Slot::find("plain text"), Ok(None));
    /// assert_eq!(Slot::find("Hello {% input.name %}"), Err(PartialSlot { offset: 6 }));
    /// ```
    pub fn find(text: &'a str) -> Result<Option<Slot<'a>>, PartialSlot> {
        let Some(first_mark) = first_mark(text) else {
            return Ok(None);
        };
        let trimmed = text.trim_matches(is_white_space);
        let start = text.len() - text.trim_start_matches(is_white_space).len();
        let Some(inner) = trimmed.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix(CLOSE)) else {
            return Err(PartialSlot { offset: first_misplaced(text, start, first_mark) });
        };
        let inner_start = start + OPEN.len();
        if let Some(mark) = first_unquoted_mark(inner) {
            return Err(PartialSlot { offset: inner_start + mark });
        }
        let body = inner.trim_matches(is_white_space);
        let offset = inner_start + (inner.len() - inner.trim_start_matches(is_white_space).len());
        Ok(Some(Slot { body, offset }))
    }
}

/// White space as JavaScript trims it, so that other runtimes and the JSON Schema for editors see the same slots.
fn is_white_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

fn first_mark(text: &str) -> Option<usize> {
    text.find(OPEN).into_iter().chain(text.find(CLOSE)).min()
}

/// The first mark of an expression that is not part of a string or of a quoted name.
fn first_unquoted_mark(body: &str) -> Option<usize> {
    let mut quote = None;
    let mut chars = body.char_indices();
    while let Some((at, char)) = chars.next() {
        match (quote, char) {
            (Some(_), '\\') => drop(chars.next()),
            (Some(open), close) if open == close => quote = None,
            (None, '"' | '\'' | '`') => quote = Some(char),
            (None, _) if body[at..].starts_with(OPEN) || body[at..].starts_with(CLOSE) => return Some(at),
            _ => {}
        }
    }
    None
}

/// A string that opens properly is wrong where it closes, or at its opening when it never does.
fn first_misplaced(text: &str, start: usize, first_mark: usize) -> usize {
    if first_mark != start || !text[start..].starts_with(OPEN) {
        return first_mark;
    }
    let inner = start + OPEN.len();
    text[inner..].find(CLOSE).map_or(start, |close| inner + close)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str) -> Option<&str> {
        Slot::find(text).unwrap().map(|slot| slot.body)
    }

    #[test]
    fn a_whole_string_is_a_slot() {
        assert_eq!(body("{% input.a %}"), Some("input.a"));
        assert_eq!(body("{%input.a%}"), Some("input.a"));
        assert_eq!(body("  {% input.a %}\n"), Some("input.a"));
        assert_eq!(body("{%\n  (\n $a := 1;\n $a )\n%}"), Some("(\n $a := 1;\n $a )"));
    }

    #[test]
    fn the_offset_points_at_the_body() {
        for text in ["{% é & input.ä %}", "\t {%\n input.a %} ", "{%x%}"] {
            let slot = Slot::find(text).unwrap().unwrap();
            assert_eq!(&text[slot.offset..slot.offset + slot.body.len()], slot.body);
        }
    }

    #[test]
    fn an_empty_slot_is_a_slot_with_an_empty_body() {
        assert_eq!(Slot::find("{% %}"), Ok(Some(Slot { body: "", offset: 3 })));
        assert_eq!(Slot::find("{%%}"), Ok(Some(Slot { body: "", offset: 2 })));
    }

    #[test]
    fn a_quoted_mark_is_part_of_the_body() {
        assert_eq!(body("{% 'a %} b' %}"), Some("'a %} b'"));
        assert_eq!(body(r#"{% "\" {% " %}"#), Some(r#""\" {% ""#));
    }

    #[test]
    fn text_without_marks_is_no_slot() {
        for text in ["", "plain", "{ % x % }", "50%", "{}", "{{x}}"] {
            assert_eq!(Slot::find(text), Ok(None), "{text}");
        }
    }

    #[test]
    fn a_mark_in_other_text_is_a_partial_slot() {
        for (text, offset) in [
            ("a {% b %}", 2),
            ("{% b %} c", 5),
            ("{% a %}{% b %}", 5),
            ("{% a", 0),
            ("a %}", 2),
            ("{%}", 0),
            ("%} {%", 0),
            ("{% {% a %} %}", 3),
            ("{% 'a' %} and {% 'b' %}", 7),
        ] {
            assert_eq!(Slot::find(text), Err(PartialSlot { offset }), "{text}");
        }
    }
}
