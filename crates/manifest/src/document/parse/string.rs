//! Parses JSON strings and their escapes.

use std::borrow::Cow;

use super::fault::shown;
use super::{ParseFault, Parser};

impl<'t> Parser<'t> {
    /// Reads the string whose opening quote comes next.
    pub(super) fn string(&mut self) -> Result<Cow<'t, str>, ParseFault> {
        let opening = self.at;
        self.at += 1;
        let mut decoded: Option<String> = None;
        loop {
            let start = self.at;
            self.skip_plain();
            let plain = &self.text[start..self.at];
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(match decoded {
                        None => Cow::Borrowed(plain),
                        Some(text) => Cow::Owned(text + plain),
                    });
                }
                Some(b'\\') => {
                    let text = decoded.get_or_insert_default();
                    text.push_str(plain);
                    text.push(self.escape()?);
                }
                Some(_) => return Err(self.control_character(opening)),
                None => return Err(self.fault(opening, self.at, "the string has no closing quote")),
            }
        }
    }

    /// Steps over characters that need no escape.
    fn skip_plain(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
        self.at += rest.iter().position(special).unwrap_or(rest.len());
    }

    /// A line that ends inside a string most likely lacks the closing quote.
    fn control_character(&self, opening: usize) -> ParseFault {
        match self.peek() {
            Some(b'\n' | b'\r') => {
                let message =
                    "the line ends inside a string; write the closing quote, or a line break as `\\n`";
                self.fault(opening, self.at, message)
            }
            _ => self.fault(self.at, self.at + 1, "a control character stands unescaped in a string"),
        }
    }

    /// Reads the escape whose backslash comes next.
    fn escape(&mut self) -> Result<char, ParseFault> {
        let start = self.at;
        let escaped = self.text.as_bytes().get(start + 1).copied();
        self.at += 2;
        Ok(match escaped {
            Some(mark @ (b'"' | b'\\' | b'/')) => char::from(mark),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(start),
            Some(_) => {
                let found = self.text[start + 1..].chars().next().unwrap_or_default();
                let message = format!("a backslash does not stand before {}", shown(found));
                return Err(self.fault(start, start + 1 + found.len_utf8(), message));
            }
            None => return Err(self.fault(start, self.text.len(), "the text ends inside a string")),
        })
    }

    /// Reads the four digits of an escape, and the second escape that completes the character if it needs one.
    fn unicode_escape(&mut self, start: usize) -> Result<char, ParseFault> {
        let first = self.code_unit(start)?;
        let code = match first {
            0xD800..0xDC00 if self.text[self.at..].starts_with("\\u") => {
                let low_start = self.at;
                self.at += 2;
                let low = self.code_unit(low_start)?;
                if !(0xDC00..0xE000).contains(&low) {
                    return Err(self.half_a_character(start, low_start));
                }
                0x10000 + ((first - 0xD800) << 10) + (low - 0xDC00)
            }
            unit => unit,
        };
        char::from_u32(code).ok_or_else(|| self.half_a_character(start, start + 6))
    }

    fn code_unit(&mut self, start: usize) -> Result<u32, ParseFault> {
        let digits = self
            .text
            .get(self.at..self.at + 4)
            .filter(|four| four.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let Some(unit) = digits.and_then(|four| u32::from_str_radix(four, 16).ok()) else {
            return Err(self.fault(start, start + 2, "`\\u` is followed by four hexadecimal digits"));
        };
        self.at += 4;
        Ok(unit)
    }

    fn half_a_character(&self, start: usize, end: usize) -> ParseFault {
        self.fault(start, end, format!("`{}` is half a character", &self.text[start..end]))
    }
}
