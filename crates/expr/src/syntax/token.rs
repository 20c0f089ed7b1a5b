//! The tokens of an expression.

use crate::Place;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) place: Place,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    String(String),
    Number(f64),
    True,
    False,
    Null,
    Name(String),
    /// Without its `$`: `$` itself is empty, `$$` is `$`.
    Variable(String),
    Regex {
        pattern: String,
        flags: String,
    },
    Operator(&'static str),
    End,
}

impl Token {
    pub(super) fn is(&self, symbol: &str) -> bool {
        matches!(self.kind, TokenKind::Operator(operator) if operator == symbol)
    }

    pub(super) fn is_end(&self) -> bool {
        self.kind == TokenKind::End
    }
}
