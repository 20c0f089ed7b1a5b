//! The tokens of a CSS selector.

use cssparser::{ParseError, Parser, Token as CssToken};

use super::CssError;

/// A token of a selector and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The tokens a selector is made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Space,
    Ident(String),
    /// A name with its opening bracket.
    Function(String),
    /// `#name`, when the name may be that of an id.
    Id,
    Text,
    Colon,
    Comma,
    Delim(char),
    /// `~=`, `|=`, `^=`, `$=` or `*=`.
    Match,
    OpenSquare,
    /// The end of a function or of square brackets.
    Close,
    /// The end of the text.
    End,
    /// A token that stands in no selector.
    Foreign,
}

/// A sentinel after the text: where the tokenizer meets it, every bracket before it was closed.
const SENTINEL: &str = ";";

/// The tokens of a text, the last of which is its end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, CssError> {
    let guarded = format!("{text}{SENTINEL}");
    let mut reader = Reader { text_end: text.len(), tokens: Vec::new(), open: Vec::new() };
    let mut parser = Parser::new(&guarded);
    match reader.read(&mut parser) {
        Ok(()) => Ok(reader.tokens),
        Err(ParseError { kind: cssparser::ParseErrorKind::Custom(error) }) => Err(error),
        Err(_) => {
            let (start, end) = reader.open.last().copied().unwrap_or_default();
            Err(CssError::new(start, end, "the brackets nest too deep"))
        }
    }
}

struct Reader {
    text_end: usize,
    tokens: Vec<Token>,
    /// The brackets that are open, outermost first.
    open: Vec<(usize, usize)>,
}

impl Reader {
    fn read(&mut self, parser: &mut Parser<'_>) -> Result<(), ParseError<CssError>> {
        loop {
            let start = parser.position().byte_index();
            let Ok(token) = parser.next_including_whitespace_and_comments().cloned() else { return Ok(()) };
            let end = parser.position().byte_index();
            if start == self.text_end {
                return self.end(start);
            }
            if end > self.text_end {
                return Err(ParseError::custom(unfinished(&token, start, self.text_end)));
            }
            let kind = kind(&token);
            let opens = matches!(
                token,
                CssToken::Function(_)
                    | CssToken::SquareBracketBlock
                    | CssToken::ParenthesisBlock
                    | CssToken::CurlyBracketBlock
            );
            if !matches!(token, CssToken::Comment(_)) {
                self.tokens.push(Token { kind, start, end });
            }
            if opens {
                self.open.push((start, end));
                parser.parse_nested_block(|inner| self.read(inner))?;
                self.open.pop();
                let end = parser.position().byte_index();
                self.tokens.push(Token { kind: Kind::Close, start: end - 1, end });
            }
        }
    }

    /// The sentinel was met: fine outside all brackets, and a fault inside one.
    fn end(&mut self, at: usize) -> Result<(), ParseError<CssError>> {
        match self.open.last() {
            None => {
                self.tokens.push(Token { kind: Kind::End, start: at, end: at });
                Ok(())
            }
            Some(&(start, end)) => {
                Err(ParseError::custom(CssError::new(start, end, "this bracket is never closed")))
            }
        }
    }
}

/// A token that swallowed the end of the text.
fn unfinished(token: &CssToken<'_>, start: usize, text_end: usize) -> CssError {
    match token {
        CssToken::QuotedString(_) | CssToken::BadString(_) => {
            CssError::new(start, start + 1, "this quote is never closed")
        }
        CssToken::Comment(_) => CssError::new(start, start + 2, "this comment is never closed"),
        CssToken::UnquotedUrl(_) | CssToken::BadUrl(_) => {
            CssError::new(start, text_end, "this bracket is never closed")
        }
        _ => CssError::new(text_end - 1, text_end, "a backslash stands at the end"),
    }
}

fn kind(token: &CssToken<'_>) -> Kind {
    match token {
        CssToken::WhiteSpace(_) | CssToken::Comment(_) => Kind::Space,
        CssToken::Ident(name) => Kind::Ident(name.to_string()),
        CssToken::Function(name) => Kind::Function(name.to_string()),
        CssToken::IDHash(_) => Kind::Id,
        CssToken::QuotedString(_) => Kind::Text,
        CssToken::Colon => Kind::Colon,
        CssToken::Comma => Kind::Comma,
        CssToken::Delim(char) => Kind::Delim(*char),
        CssToken::IncludeMatch
        | CssToken::DashMatch
        | CssToken::PrefixMatch
        | CssToken::SuffixMatch
        | CssToken::SubstringMatch => Kind::Match,
        CssToken::SquareBracketBlock => Kind::OpenSquare,
        _ => Kind::Foreign,
    }
}
