//! Why a text is not JSON, with a guess at what the author meant.

use super::{Parser, Span};

/// Why a text is not a JSON document.
#[derive(Debug)]
pub(crate) enum ParseFault {
    NotJson { span: Span, message: String },
    TooDeep { span: Span },
}

/// What people write that other formats allow, and what to call it.
const FOREIGN: &[(&str, &str)] = &[
    ("//", "comments are not allowed"),
    ("/*", "comments are not allowed"),
    ("#", "comments are not allowed"),
    ("'", "strings stand in double quotes"),
    ("`", "strings stand in double quotes"),
    ("“", "strings stand in straight double quotes"),
    ("+", "a number does not begin with a plus sign"),
    (".", "a number does not begin with a dot"),
];

impl Parser<'_> {
    /// The fault at the next character, where something else was expected.
    pub(super) fn unexpected(&self, expected: &str) -> ParseFault {
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            return self.fault_here(format!("the text ends where {expected} is expected"));
        }
        if let Some((mark, message)) = FOREIGN.iter().find(|(mark, _)| rest.starts_with(mark)) {
            return self.fault(self.at, self.at + mark.len(), *message);
        }
        let word = self.word();
        if !word.is_empty() {
            return self.fault(
                self.at,
                self.at + word.len(),
                format!("expected {expected}, found `{}`", short(word)),
            );
        }
        let found = rest.chars().next().unwrap_or_default();
        let end = self.at + found.len_utf8();
        self.fault(self.at, end, format!("expected {expected}, found {}", shown(found)))
    }

    /// The letters and digits that come next.
    pub(super) fn word(&self) -> &str {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(rest.len());
        &rest[..end]
    }

    /// A fault between two offsets.
    pub(super) fn fault(&self, start: usize, end: usize, message: impl Into<String>) -> ParseFault {
        ParseFault::NotJson { span: Span::new(start, end), message: message.into() }
    }

    /// A fault at the place that has been reached.
    pub(super) fn fault_here(&self, message: impl Into<String>) -> ParseFault {
        self.fault(self.at, self.at, message)
    }
}

/// A character as it can be shown in a sentence.
pub(super) fn shown(c: char) -> String {
    if c.is_control() || c.is_whitespace() || ('\u{200b}'..='\u{206f}').contains(&c) || c == '\u{feff}' {
        return format!("the invisible character U+{:04X}", u32::from(c));
    }
    format!("`{c}`")
}

/// The beginning of a word that may be very long.
pub(super) fn short(word: &str) -> String {
    const SHOWN: usize = 40;
    match word.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}
