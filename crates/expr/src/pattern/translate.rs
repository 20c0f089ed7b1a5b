//! The translation of a JavaScript pattern.

use super::class::{self, LINE_ENDS};

/// A pattern that cannot be used, with the place of the fault in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PatternError {
    /// The byte offset of the fault in the pattern.
    pub(crate) offset: usize,
    pub(crate) len: usize,
    pub(crate) message: String,
    pub(crate) hint: Option<&'static str>,
}

/// Translates the pattern of a JavaScript regular expression; `multiline` is its flag `m`.
///
/// The result holds a slash only behind a backslash, so that it can stand between slashes again.
pub(crate) fn translate(pattern: &str, multiline: bool) -> Result<String, PatternError> {
    let mut translator = Translator { pattern, at: 0, multiline, output: String::new(), open: Vec::new() };
    translator.run()?;
    Ok(translator.output)
}

struct Translator<'a> {
    pattern: &'a str,
    at: usize,
    multiline: bool,
    output: String,
    /// The offsets of the groups that are open.
    open: Vec<usize>,
}

/// What was just read, which decides whether it can be repeated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Nothing,
    Atom,
    Quantifier,
}

impl Translator<'_> {
    fn run(&mut self) -> Result<(), PatternError> {
        let mut last = Last::Nothing;
        while let Some(char) = self.peek() {
            last = self.term(char, last)?;
        }
        match self.open.pop() {
            Some(open) => Err(error(open, 1, "the group is never closed")),
            None => Ok(()),
        }
    }

    fn term(&mut self, char: char, last: Last) -> Result<Last, PatternError> {
        let start = self.at;
        self.at += char.len_utf8();
        match char {
            '*' | '+' | '?' => {
                self.output.push(char);
                self.quantifier(start, last)
            }
            '{' => match self.repetition() {
                Some(repetition) => {
                    self.output.push_str(&repetition);
                    self.quantifier(start, last)
                }
                None => self.atom(&class::literal(char)),
            },
            '|' => {
                self.output.push('|');
                Ok(Last::Nothing)
            }
            '(' => {
                self.group(start)?;
                self.open.push(start);
                Ok(Last::Nothing)
            }
            ')' => {
                if self.open.pop().is_none() {
                    return Err(error(start, 1, "`)` closes no group"));
                }
                self.atom(")")
            }
            '^' | '$' => {
                self.output.push_str(&if self.multiline {
                    format!("(?mR:{char})")
                } else {
                    char.to_string()
                });
                Ok(Last::Nothing)
            }
            '.' => self.atom(&format!("[^{LINE_ENDS}]")),
            '[' => {
                let class = self.class(start)?;
                self.atom(&class)
            }
            '\\' => self.escape(start),
            _ => self.atom(&class::literal(char)),
        }
    }

    fn atom(&mut self, text: &str) -> Result<Last, PatternError> {
        self.output.push_str(text);
        Ok(Last::Atom)
    }

    /// After a quantifier has been written: it needs something to repeat, and may be lazy.
    fn quantifier(&mut self, start: usize, last: Last) -> Result<Last, PatternError> {
        if last != Last::Atom {
            return Err(error(start, self.at - start, "there is nothing to repeat"));
        }
        if self.peek() == Some('?') {
            self.at += 1;
            self.output.push('?');
        }
        Ok(Last::Quantifier)
    }

    /// Reads `n}`, `n,}` or `n,m}`; a brace before anything else stands for itself.
    fn repetition(&mut self) -> Option<String> {
        let rest = &self.pattern[self.at..];
        let inner = &rest[..rest.find('}')?];
        let (low, high) = inner.split_once(',').unwrap_or((inner, inner));
        let is_count = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_count(low) || !(high.is_empty() || is_count(high)) {
            return None;
        }
        self.at += inner.len() + 1;
        Some(format!("{{{inner}}}"))
    }

    fn group(&mut self, start: usize) -> Result<(), PatternError> {
        let rest = &self.pattern[self.at..];
        let Some(rest) = rest.strip_prefix('?') else {
            self.output.push('(');
            return Ok(());
        };
        if rest.starts_with(':') {
            self.at += 2;
            self.output.push_str("(?:");
            return Ok(());
        }
        for look in ["=", "!", "<=", "<!"] {
            if rest.starts_with(look) {
                let message = format!("the pattern looks around with `(?{look}`, which is not supported");
                return Err(PatternError {
                    hint: Some(
                        "match the surroundings too and take what is needed from a group: $match(…).groups[0]",
                    ),
                    ..error(start, 2 + look.len(), message)
                });
            }
        }
        let name = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')).map(|(name, _)| name);
        match name {
            Some(name) if is_group_name(name) => {
                self.at += "?<>".len() + name.len();
                self.output.push_str(&format!("(?<{name}>"));
                Ok(())
            }
            _ => Err(error(start, 2, "`(?` opens no group that JavaScript knows")),
        }
    }

    /// An escape outside of brackets.
    fn escape(&mut self, start: usize) -> Result<Last, PatternError> {
        match self.peek() {
            Some('b') => {
                self.at += 1;
                self.output.push_str(r"(?-u:\b)");
                Ok(Last::Nothing)
            }
            Some('B') => {
                self.at += 1;
                self.output.push_str(r"\B");
                Ok(Last::Nothing)
            }
            Some(digit @ '1'..='9') => Err(back_reference(
                start,
                format!("the pattern refers back with `\\{digit}`, which is not supported"),
            )),
            Some('k') => {
                Err(back_reference(start, "the pattern refers back with `\\k`, which is not supported"))
            }
            _ => {
                let text = match self.class_escape() {
                    Some(class) => class,
                    None => class::literal(self.character(start)?),
                };
                self.atom(&text)
            }
        }
    }

    /// One of `\d \w \s \D \W \S`, behind the backslash.
    fn class_escape(&mut self) -> Option<String> {
        let class = class::escape(self.peek()?)?;
        self.at += 1;
        Some(class)
    }

    /// The character that an escape stands for, behind the backslash.
    fn character(&mut self, start: usize) -> Result<char, PatternError> {
        let Some(char) = self.peek() else {
            return Err(error(start, 1, "the pattern ends with a backslash"));
        };
        self.at += char.len_utf8();
        Ok(match char {
            't' => '\t',
            'n' => '\n',
            'v' => '\u{b}',
            'f' => '\u{c}',
            'r' => '\r',
            '0' if !self.peek().is_some_and(|next| next.is_ascii_digit()) => '\0',
            'x' => self.code_point(start, 2)?,
            'u' => self.code_point(start, 4)?,
            'c' => {
                let letter = self.peek().filter(char::is_ascii_alphabetic);
                let letter = letter.ok_or_else(|| error(start, 2, r"`\c` must be followed by a letter"))?;
                self.at += 1;
                char::from(letter as u8 % 32)
            }
            'p' | 'P' => {
                return Err(PatternError {
                    hint: Some("list the characters, as in [A-Za-zÀ-ÿ]"),
                    ..error(
                        start,
                        2,
                        format!(r"`\{char}` has no meaning without the flag `u`, which JSONata lacks"),
                    )
                });
            }
            '0'..='9' => return Err(error(start, 2, "an octal escape is not supported")),
            _ => char,
        })
    }

    fn code_point(&mut self, start: usize, digits: usize) -> Result<char, PatternError> {
        let unit = self.hex(digits).ok_or_else(|| {
            let escape = &self.pattern[start..self.at];
            error(
                start,
                self.at - start,
                format!("`{escape}` must be followed by {digits} hexadecimal digits"),
            )
        })?;
        if let Some(char) = char::from_u32(unit) {
            return Ok(char);
        }
        if self.pattern[self.at..].starts_with("\\u") {
            self.at += 2;
            let low = self.hex(4).unwrap_or_default();
            if let Some(Ok(char)) = char::decode_utf16([unit as u16, low as u16]).next() {
                return Ok(char);
            }
        }
        Err(error(start, self.at - start, "half of a surrogate pair is no character"))
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let text = self.pattern.get(self.at..self.at + digits)?;
        if !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += digits;
        u32::from_str_radix(text, 16).ok()
    }

    /// A bracketed class, behind the opening bracket.
    fn class(&mut self, start: usize) -> Result<String, PatternError> {
        let negated = self.peek() == Some('^');
        self.at += usize::from(negated);
        let mut members = String::new();
        loop {
            let item_start = self.at;
            match self.peek() {
                None => return Err(error(start, 1, "the class of characters is never closed")),
                Some(']') => {
                    self.at += 1;
                    break;
                }
                Some(_) => match self.class_item()? {
                    ClassItem::Class(class) => members.push_str(&class),
                    ClassItem::Char(low) => members.push_str(&self.class_range(item_start, low)?),
                },
            }
        }
        Ok(match (members.is_empty(), negated) {
            // Nothing is a member of the empty class, and everything of its opposite.
            (true, false) => r"[^\x00-\x{10ffff}]".to_owned(),
            (true, true) => r"[\x00-\x{10ffff}]".to_owned(),
            (false, false) => format!("[{members}]"),
            (false, true) => format!("[^{members}]"),
        })
    }

    /// A single member, or the range that starts with it.
    fn class_range(&mut self, start: usize, low: char) -> Result<String, PatternError> {
        let rest = &self.pattern[self.at..];
        if !rest.starts_with('-') || rest.starts_with("-]") || rest.len() == 1 {
            return Ok(class::literal(low));
        }
        self.at += 1;
        match self.class_item()? {
            // A dash before a class stands for itself.
            ClassItem::Class(class) => Ok(format!(r"{}\-{class}", class::literal(low))),
            ClassItem::Char(high) if low <= high => {
                Ok(format!("{}-{}", class::literal(low), class::literal(high)))
            }
            ClassItem::Char(_) => Err(error(start, self.at - start, "the range is in the wrong order")),
        }
    }

    fn class_item(&mut self) -> Result<ClassItem, PatternError> {
        let start = self.at;
        let Some(char) = self.peek() else {
            return Err(error(start, 0, "the class of characters is never closed"));
        };
        self.at += char.len_utf8();
        if char != '\\' {
            return Ok(ClassItem::Char(char));
        }
        if self.peek() == Some('b') {
            self.at += 1;
            return Ok(ClassItem::Char('\u{8}'));
        }
        match self.class_escape() {
            Some(class) => Ok(ClassItem::Class(class)),
            None => Ok(ClassItem::Char(self.character(start)?)),
        }
    }

    fn peek(&self) -> Option<char> {
        self.pattern[self.at..].chars().next()
    }
}

enum ClassItem {
    Char(char),
    Class(String),
}

fn is_group_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn back_reference(start: usize, message: impl Into<String>) -> PatternError {
    PatternError {
        hint: Some("match the parts as groups and compare them: $match(…).(groups[0] = groups[1])"),
        ..error(start, 2, message)
    }
}

fn error(offset: usize, len: usize, message: impl Into<String>) -> PatternError {
    PatternError { offset, len, message: message.into(), hint: None }
}
