//! The operators and how tightly they bind.

/// Every operator and delimiter, the longer ones first so that the first match is the right one, with its power to
/// bind what stands to its left. Zero binds nothing: such a symbol only ever ends an expression.
const OPERATORS: &[(&str, u8)] = &[
    ("..", 0),
    (":=", 10),
    ("!=", 40),
    (">=", 40),
    ("<=", 40),
    ("**", 0),
    ("~>", 40),
    ("?:", 40),
    ("??", 40),
    (".", 75),
    ("[", 80),
    ("]", 0),
    ("{", 70),
    ("}", 0),
    ("(", 80),
    (")", 0),
    (",", 0),
    ("@", 80),
    ("#", 80),
    (";", 0),
    (":", 0),
    ("?", 20),
    ("+", 50),
    ("-", 50),
    ("*", 60),
    ("/", 60),
    ("%", 60),
    ("|", 0),
    ("=", 40),
    ("<", 40),
    (">", 40),
    ("^", 40),
    ("&", 50),
    ("!", 0),
    ("~", 0),
];

/// The operators that are words. They are names where an operand is expected.
const WORDS: &[(&str, u8)] = &[("and", 30), ("or", 25), ("in", 40)];

/// The power of unary minus.
pub(super) const PREFIX_POWER: u8 = 70;

/// The operator at the start of `text`.
pub(super) fn at_start(text: &str) -> Option<&'static str> {
    OPERATORS.iter().map(|(symbol, _)| *symbol).find(|symbol| text.starts_with(symbol))
}

/// The operator that `word` is, if it is one.
pub(super) fn word(word: &str) -> Option<&'static str> {
    WORDS.iter().map(|(symbol, _)| *symbol).find(|symbol| *symbol == word)
}

/// How tightly `symbol` binds what stands to its left.
pub(super) fn power(symbol: &str) -> u8 {
    OPERATORS.iter().chain(WORDS).find(|(known, _)| *known == symbol).map_or(0, |(_, power)| *power)
}
