//! Parses JSON numbers.

use serde_json::Number;

use super::fault::short;
use super::{ParseFault, Parser};

impl Parser<'_> {
    /// Reads the number that begins here.
    pub(super) fn number(&mut self) -> Result<Number, ParseFault> {
        let start = self.at;
        self.eat(b'-');
        let whole = self.at;
        self.digits("a digit")?;
        if self.text.as_bytes()[whole] == b'0' && self.at - whole > 1 {
            return Err(self.fault(start, self.at, "a number does not begin with a zero"));
        }
        if self.eat(b'.') {
            self.digits("a digit after the dot")?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits("a digit of the exponent")?;
        }
        let text = &self.text[start..self.at];
        serde_json::from_str(text)
            .map_err(|_| self.fault(start, self.at, format!("`{}` is too large for a number", short(text))))
    }

    /// Steps over digits, of which there must be one.
    fn digits(&mut self, expected: &str) -> Result<(), ParseFault> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected(expected)) } else { Ok(()) }
    }
}
