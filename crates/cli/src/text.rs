//! Text for the terminal: escapes untrusted text, aligns columns.
//!
//! Whatever is printed for people passes [`styled`] last. Text from a map or page is made [`visible`] before that, or one
//! [`line()`], so that it cannot even have colours.

use std::fmt::Write;

/// Whether a character controls the terminal, changes the direction of text, or is not seen.
fn is_hidden(c: char) -> bool {
    c.is_control() && c != '\n'
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn escape_into(text: &mut String, c: char) {
    if is_hidden(c) {
        text.extend(c.escape_unicode());
    } else {
        text.push(c);
    }
}

/// Escapes control and direction characters, so that text from a map or page cannot control the terminal.
pub(crate) fn visible(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    text.chars().for_each(|c| escape_into(&mut escaped, c));
    escaped
}

/// The same on one line, so that text from a map or page cannot add lines that look like ours.
pub(crate) fn line(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\u{2028}' | '\u{2029}' if escaped.ends_with(' ') => {}
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => escaped.push(' '),
            c => escape_into(&mut escaped, c),
        }
    }
    escaped
}

/// The same for text that has colours of ours: sequences that set a colour stay.
pub(crate) fn styled(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        match colour(rest) {
            Some(sequence) => {
                escaped.push_str(sequence);
                rest = &rest[sequence.len()..];
            }
            None => {
                escape_into(&mut escaped, c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    escaped
}

/// The sequence at the beginning of a text, if it sets a colour.
fn colour(text: &str) -> Option<&str> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let end = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    parameters[end..].starts_with('m').then(|| &text[..end + 3])
}

/// Escapes the same characters in JSON, where they can only stand in texts.
pub(crate) fn visible_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        if !is_hidden(c) {
            escaped.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            // Writing to a text cannot fail.
            let _ = write!(escaped, "\\u{unit:04x}");
        }
    }
    escaped
}

/// Cuts a text after `max` characters.
pub(crate) fn short(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Formats a count with its noun: `1 map`, `2 maps`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Aligns rows in columns, two spaces apart, without trailing blanks.
pub(crate) fn columns(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every character that is hidden, and some that are not.
    const HOSTILE: &str = "a\u{1b}[31m\u{9b}2J\u{90}q\u{7f}\u{202e}\u{2066}\u{feff}\u{e0041}\r\tb";

    #[test]
    fn hidden_characters_are_escaped() {
        let hidden = |text: &str| text.chars().any(is_hidden);
        assert!(hidden(HOSTILE));
        for text in [visible(HOSTILE), line(HOSTILE), visible_json(HOSTILE)] {
            assert!(!hidden(&text), "{text:?}");
        }
        assert_eq!(visible("é – 漢字 ✓\n😀"), "é – 漢字 ✓\n😀");
    }

    #[test]
    fn colours_stay_and_other_sequences_do_not() {
        assert_eq!(styled("\u{1b}[1;31mred\u{1b}[0m"), "\u{1b}[1;31mred\u{1b}[0m");
        assert_eq!(styled("\u{1b}[2J\u{1b}]0;x\u{7}\u{1b}["), "\\u{1b}[2J\\u{1b}]0;x\\u{7}\\u{1b}[");
    }

    #[test]
    fn lines_are_joined() {
        assert_eq!(line(" a\n\n  b\r\nc "), " a   b c ");
    }

    #[test]
    fn json_stays_the_same_value() {
        let json = serde_json::json!({ "a\u{9b}": HOSTILE });
        let text = visible_json(&serde_json::to_string_pretty(&json).unwrap());
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), json);
    }
}
