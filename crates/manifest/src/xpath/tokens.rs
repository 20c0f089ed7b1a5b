//! The tokens of an XPath expression.

use super::XPathError;

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind<'t>,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The tokens of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind<'t> {
    /// A name without a prefix.
    Name(&'t str),
    /// `prefix:name` or `prefix:*`.
    Prefixed(&'t str),
    /// `and`, `or`, `div`, `mod` and all signs that stand between two operands.
    Operator(&'t str),
    /// `(`, `)`, `[`, `]`, `.`, `..`, `@`, `,`, `::`, `/`, `//`, `*` as a name, and `$`.
    Sign(&'t str),
    Number,
    Text,
    End,
}

const SIGNS: &[&str] = &["::", "//", "..", "(", ")", "[", "]", "@", ",", "/", ".", "$"];
const OPERATORS: &[&str] = &["!=", "<=", ">=", "=", "<", ">", "+", "-", "|"];
const WORDS: &[&str] = &["and", "or", "div", "mod"];

/// The tokens of a text, the last of which is its end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, XPathError> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start_matches([' ', '\t', '\r', '\n']).len();
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else {
            tokens.push(Token { kind: Kind::End, start: at, end: at });
            return Ok(tokens);
        };
        let (kind, len) = match first {
            '"' | '\'' => (Kind::Text, literal(rest, at)?),
            '0'..='9' => (Kind::Number, number(rest)),
            '.' if rest[1..].starts_with(|next: char| next.is_ascii_digit()) => (Kind::Number, number(rest)),
            '*' if may_be_operator(&tokens) => (Kind::Operator("*"), 1),
            '*' => (Kind::Sign("*"), 1),
            first if starts_name(first) => name(rest, may_be_operator(&tokens)),
            _ => sign(rest, at)?,
        };
        tokens.push(Token { kind, start: at, end: at + len });
        at += len;
    }
}

/// Whether a name or `*` that follows these tokens stands between two operands.
fn may_be_operator(tokens: &[Token<'_>]) -> bool {
    match tokens.last().map(|token| token.kind) {
        None | Some(Kind::Operator(_) | Kind::Sign("@" | "::" | "(" | "[" | "," | "/" | "//" | "$")) => false,
        Some(_) => true,
    }
}

fn literal(rest: &str, at: usize) -> Result<usize, XPathError> {
    let quote = &rest[..1];
    match rest[1..].find(quote) {
        Some(end) => Ok(end + 2),
        None => Err(XPathError::new(at, at + 1, "this quote is never closed")),
    }
}

fn number(rest: &str) -> usize {
    let digits = |text: &str| text.len() - text.trim_start_matches(|next: char| next.is_ascii_digit()).len();
    let whole = digits(rest);
    match rest[whole..].strip_prefix('.') {
        Some(fraction) => whole + 1 + digits(fraction),
        None => whole,
    }
}

fn name(rest: &str, may_be_operator: bool) -> (Kind<'_>, usize) {
    let len = name_len(rest);
    let word = &rest[..len];
    if may_be_operator && WORDS.contains(&word) {
        return (Kind::Operator(word), len);
    }
    let after = &rest[len..];
    match after.strip_prefix(':') {
        Some(local) if local.starts_with('*') => (Kind::Prefixed(&rest[..len + 2]), len + 2),
        Some(local) if local.starts_with(starts_name) => {
            let end = len + 1 + name_len(local);
            (Kind::Prefixed(&rest[..end]), end)
        }
        Some(_) | None => (Kind::Name(word), len),
    }
}

fn starts_name(char: char) -> bool {
    char.is_alphabetic() || char == '_'
}

fn name_len(text: &str) -> usize {
    let in_name = |char: char| {
        char.is_alphanumeric() || matches!(char, '_' | '-' | '.' | '\u{b7}' | '\u{300}'..='\u{36f}')
    };
    text.len() - text.trim_start_matches(in_name).len()
}

fn sign(rest: &str, at: usize) -> Result<(Kind<'_>, usize), XPathError> {
    let of = |known: &'static [&'static str]| known.iter().copied().find(|sign| rest.starts_with(sign));
    if let Some(sign) = of(OPERATORS) {
        return Ok((Kind::Operator(sign), sign.len()));
    }
    if let Some(sign) = of(SIGNS) {
        return Ok((Kind::Sign(sign), sign.len()));
    }
    let len = rest.chars().next().map_or(0, char::len_utf8);
    let error = XPathError::new(at, at + len, format!("`{}` does not belong to XPath", &rest[..len]));
    Err(match &rest[..len] {
        "&" => error.help("the logical operator is `and`"),
        "!" => error.help("write `not(…)`"),
        "#" => error.help("an id is `[@id='…']`; a CSS selector stands under `selector`"),
        _ => error,
    })
}
