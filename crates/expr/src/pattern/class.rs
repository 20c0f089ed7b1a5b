//! Classes of characters, as members of a bracketed class.

/// What `\d`, `\w` and `\s` stand for in JavaScript: ASCII digits and word characters, and its own white space.
const CLASSES: &[(char, &str)] = &[
    ('d', "0-9"),
    ('w', "0-9A-Za-z_"),
    ('s', r"\t-\r\x20\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}"),
];

/// What `.` does not match.
pub(super) const LINE_ENDS: &str = r"\n\r\x{2028}\x{2029}";

/// The bracketed class for the escape `letter`, which may be one of `dwsDWS`.
pub(super) fn escape(letter: char) -> Option<String> {
    let (_, members) = CLASSES.iter().find(|(known, _)| *known == letter.to_ascii_lowercase())?;
    let not = if letter.is_ascii_uppercase() { "^" } else { "" };
    Some(format!("[{not}{members}]"))
}

/// A character that stands for itself, inside and outside of brackets.
///
/// A backslash is put only before what needs one: before some others it has a meaning of its own.
pub(super) fn literal(char: char) -> String {
    match char {
        '\\' | '/' | '.' | '+' | '*' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$' | '#'
        | '&' | '-' | '~' => {
            format!(r"\{char}")
        }
        _ if char.is_ascii_graphic() => char.to_string(),
        _ => format!(r"\x{{{:x}}}", u32::from(char)),
    }
}
