//! Source text to tokens.

use super::operator;
use super::syntax_error::SyntaxError;
use super::token::{Token, TokenKind};
use crate::Place;

/// What a `/` means depends on what stands before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slash {
    /// After a complete operand.
    Divides,
    /// Where an operand is expected.
    OpensRegex,
}

pub(super) struct Lexer<'a> {
    source: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        Lexer { source, at: 0 }
    }

    pub(super) fn next(&mut self, slash: Slash) -> Result<Token, SyntaxError> {
        self.skip_blanks()?;
        let start = self.at;
        let Some(char) = self.rest().chars().next() else {
            return Ok(Token { kind: TokenKind::End, place: Place::new(start, 0) });
        };
        let kind = match char {
            '/' if slash == Slash::OpensRegex => self.regex()?,
            '"' | '\'' => self.string(char)?,
            '`' => self.quoted_name()?,
            '0'..='9' => self.number()?,
            _ => match operator::at_start(self.rest()) {
                Some(symbol @ ("!" | "~")) => return Err(unknown_operator(symbol, start)),
                Some(symbol) => {
                    self.at += symbol.len();
                    TokenKind::Operator(symbol)
                }
                None => self.name(char)?,
            },
        };
        Ok(Token { kind, place: Place::new(start, self.at - start) })
    }

    /// Reads on from an earlier offset.
    pub(super) fn go_back_to(&mut self, offset: usize) {
        self.at = offset;
    }

    /// The text at a place.
    pub(super) fn text(&self, place: Place) -> &'a str {
        &self.source[place.offset..place.end()]
    }

    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn skip_blanks(&mut self) -> Result<(), SyntaxError> {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r', '\x0b']).len();
            self.at += blanks;
            if !self.rest().starts_with("/*") {
                return Ok(());
            }
            let Some(end) = self.rest()[2..].find("*/") else {
                return Err(SyntaxError::new("S0106", Place::new(self.at, 2), "the comment is never closed")
                    .with_hint("end it with `*/`"));
            };
            self.at += 2 + end + 2;
        }
    }

    fn string(&mut self, quote: char) -> Result<TokenKind, SyntaxError> {
        let start = self.at;
        let mut text = String::new();
        self.at += 1;
        while let Some(char) = self.rest().chars().next() {
            match char {
                '\\' => text.push(self.escape()?),
                _ if char == quote => {
                    self.at += 1;
                    return Ok(TokenKind::String(text));
                }
                _ => {
                    text.push(char);
                    self.at += char.len_utf8();
                }
            }
        }
        Err(SyntaxError::new("S0101", Place::new(start, 1), "the string is never closed")
            .with_hint(format!("end it with `{quote}`")))
    }

    /// Reads one escape; a surrogate pair counts as one.
    fn escape(&mut self) -> Result<char, SyntaxError> {
        let start = self.at;
        self.at += 1;
        let escaped = self.rest().chars().next();
        self.at += escaped.map_or(0, char::len_utf8);
        Ok(match escaped {
            Some(plain @ ('"' | '\\' | '/')) => plain,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => return self.unicode_escape(start),
            other => {
                let place = Place::new(start, self.at - start);
                let message = format!("`{}` is no escape", &self.source[start..self.at]);
                return Err(SyntaxError::new("S0103", place, message).with_hint(match other {
                    Some('\'') => "put the string in double quotes instead",
                    _ => r#"the escapes are \" \\ \/ \b \f \n \r \t and \uXXXX; write a backslash as \\"#,
                }));
            }
        })
    }

    /// Reads the digits after `\u`, and the low half when they are the high half of a surrogate pair.
    fn unicode_escape(&mut self, start: usize) -> Result<char, SyntaxError> {
        let unit = self.hex_digits(start)?;
        if let Some(char) = char::from_u32(unit) {
            return Ok(char);
        }
        if self.rest().starts_with("\\u") {
            self.at += 2;
            let low = self.hex_digits(self.at - 2)?;
            if let Some(Ok(char)) = char::decode_utf16([unit as u16, low as u16]).next() {
                return Ok(char);
            }
        }
        let place = Place::new(start, self.at - start);
        Err(SyntaxError::new("S0104", place, "half of a surrogate pair is no character")
            .with_hint("write both halves, or the character itself"))
    }

    fn hex_digits(&mut self, start: usize) -> Result<u32, SyntaxError> {
        let digits =
            self.rest().get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let Some(digits) = digits else {
            let place = Place::new(start, self.at - start);
            return Err(SyntaxError::new(
                "S0104",
                place,
                r"`\u` must be followed by four hexadecimal digits",
            ));
        };
        self.at += 4;
        Ok(u32::from_str_radix(digits, 16).unwrap_or_default())
    }

    fn quoted_name(&mut self) -> Result<TokenKind, SyntaxError> {
        let Some(len) = self.rest()[1..].find('`') else {
            return Err(SyntaxError::new("S0105", Place::new(self.at, 1), "the quoted name is never closed")
                .with_hint("end it with a backquote"));
        };
        let name = &self.rest()[1..=len];
        self.at += len + 2;
        Ok(TokenKind::Name(name.to_owned()))
    }

    fn number(&mut self) -> Result<TokenKind, SyntaxError> {
        let rest = self.rest();
        let digits = |from: usize| rest[from..].bytes().take_while(u8::is_ascii_digit).count();
        let mut len = if rest.starts_with('0') { 1 } else { digits(0) };
        if rest[len..].starts_with('.') && digits(len + 1) > 0 {
            len += 1 + digits(len + 1);
        }
        if rest[len..].starts_with(['e', 'E']) {
            let sign = usize::from(rest[len + 1..].starts_with(['+', '-']));
            let exponent = digits(len + 1 + sign);
            if exponent > 0 {
                len += 1 + sign + exponent;
            }
        }
        let number = rest[..len].parse::<f64>().unwrap_or(f64::INFINITY);
        if number.is_infinite() {
            return Err(SyntaxError::new("S0102", Place::new(self.at, len), "the number is out of range"));
        }
        self.at += len;
        Ok(TokenKind::Number(number))
    }

    /// Reads to the closing slash, which is the first one outside brackets that is not escaped.
    fn regex(&mut self) -> Result<TokenKind, SyntaxError> {
        let start = self.at;
        self.at += 1;
        let mut depth = 0_i32;
        let mut escaped = false;
        while let Some(char) = self.rest().chars().next() {
            match char {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '/' if depth == 0 => return self.regex_end(start),
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                _ => {}
            }
            self.at += char.len_utf8();
        }
        Err(SyntaxError::new("S0302", Place::new(start, 1), "the regular expression is never closed")
            .with_hint(r"end it with `/`; a bracket that is not closed is written as \( \[ or \{, in a character class too"))
    }

    fn regex_end(&mut self, start: usize) -> Result<TokenKind, SyntaxError> {
        let pattern = self.source[start + 1..self.at].to_owned();
        self.at += 1;
        if pattern.is_empty() {
            return Err(SyntaxError::new("S0301", Place::new(start, 2), "the regular expression is empty"));
        }
        let flags = self.rest().bytes().take_while(|flag| matches!(flag, b'i' | b'm')).count();
        let flags = self.rest()[..flags].to_owned();
        self.at += flags.len();
        Ok(TokenKind::Regex { pattern, flags })
    }

    fn name(&mut self, first: char) -> Result<TokenKind, SyntaxError> {
        let word =
            self.rest().find(|char: char| !is_name_char(char)).map_or(self.rest(), |end| &self.rest()[..end]);
        if word.is_empty() {
            let place = Place::new(self.at, first.len_utf8());
            let error =
                SyntaxError::new("S0204", place, format!("`{}` means nothing here", first.escape_debug()));
            return Err(error.with_hint(match first {
                '“' | '”' | '‘' | '’' | '«' | '»' => "use straight quotes, 'text' or \"text\"",
                _ if first.is_whitespace() || first.is_control() => "use a plain space",
                _ => "put a name with other than letters, digits and `_` in backquotes: `aria-label`",
            }));
        }
        self.at += word.len();
        if let Some(variable) = word.strip_prefix('$') {
            return Ok(TokenKind::Variable(variable.to_owned()));
        }
        Ok(match word {
            "true" => TokenKind::True,
            "false" => TokenKind::False,
            "null" => TokenKind::Null,
            _ => operator::word(word).map_or_else(|| TokenKind::Name(word.to_owned()), TokenKind::Operator),
        })
    }
}

fn unknown_operator(symbol: &str, offset: usize) -> SyntaxError {
    let error = SyntaxError::new("S0204", Place::new(offset, 1), format!("`{symbol}` is no operator"));
    error.with_hint(if symbol == "!" { "negate with $not(…)" } else { "apply a function with `~>`" })
}

fn is_name_char(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '$')
}
