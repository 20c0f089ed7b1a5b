//! Damage to the text itself, below the level of JSON.

use crate::fuzz::random::Random;

/// One sort of damage.
pub struct TextChange {
    /// What it does.
    pub name: &'static str,
    apply: fn(&mut Vec<u8>, &mut Random),
}

impl TextChange {
    /// Does the damage somewhere in the text.
    pub fn apply(&self, text: &mut Vec<u8>, random: &mut Random) {
        (self.apply)(text, random);
    }
}

/// Every sort of damage.
pub const TEXT_CHANGES: &[TextChange] = &[
    TextChange { name: "cut off", apply: |text, random| text.truncate(random.below(text.len() + 1)) },
    TextChange { name: "a bit flipped", apply: |text, random| flip_a_bit(text, random) },
    TextChange { name: "a byte taken out", apply: take_out },
    TextChange {
        name: "a control character put in",
        apply: |text, random| {
            let control = random.below(0x20) as u8;
            put_in(text, random, &[control]);
        },
    },
    TextChange {
        name: "an odd character put in",
        apply: |text, random| {
            let odd = random.pick(ODD_CHARACTERS).as_bytes();
            put_in(text, random, odd);
        },
    },
    TextChange {
        name: "a byte put in that is not UTF-8",
        apply: |text, random| {
            let byte = 0x80 + random.below(0x80) as u8;
            put_in(text, random, &[byte]);
        },
    },
    TextChange { name: "a bracket swapped for another", apply: |text, random| swap_a_bracket(text, random) },
    TextChange {
        name: "a piece of syntax put in",
        apply: |text, random| {
            let piece = random.pick(PIECES).as_bytes();
            put_in(text, random, piece);
        },
    },
    TextChange {
        name: "a string's content replaced",
        apply: |text, random| {
            let content = random.pick(STRING_CONTENTS).as_bytes();
            replace_between(text, random, b'"', b'"', content);
        },
    },
    TextChange {
        name: "a value replaced by an odd number",
        apply: |text, random| {
            let number = random.pick(NUMBERS).as_bytes();
            replace_between(text, random, b':', b',', number);
        },
    },
    TextChange {
        name: "a very long string",
        apply: |text, random| {
            let long = random.pick(&["a", "é", "\\n", "{%", " ", "(", "a.", "[", "/*"]).repeat(20_000);
            replace_between(text, random, b'"', b'"', long.as_bytes());
        },
    },
    TextChange {
        name: "deep nesting",
        apply: |text, random| {
            let depth = 1 << random.below(15);
            let (open, close) = *random.choose(&[("[", "]"), ("{\"a\":", "}")]);
            let nested = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            replace_between(text, random, b':', b',', nested.as_bytes());
        },
    },
    TextChange {
        name: "a piece written twice",
        apply: |text, random| {
            let from = random.below(text.len() + 1);
            let to = (from + random.below(40)).min(text.len());
            let piece = text[from..to].to_vec();
            put_in(text, random, &piece);
        },
    },
    TextChange {
        name: "line ends of another system",
        apply: |text, _| {
            let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
            *text = lines.join(&b"\r\n"[..]);
        },
    },
    TextChange {
        name: "a mark at the beginning",
        apply: |text, random| {
            let mark: &[u8] = random.pick(&[b"\xEF\xBB\xBF".as_slice(), b"\xFF\xFE", b"#!", b"//\n", b"\0"]);
            text.splice(0..0, mark.iter().copied());
        },
    },
    TextChange {
        name: "something behind the end",
        apply: |text, random| {
            text.extend_from_slice(random.pick(PIECES).as_bytes());
        },
    },
];

const ODD_CHARACTERS: &[&str] =
    &["\u{2028}", "\u{feff}", "\u{a0}", "\u{7f}", "\u{85}", "\u{0301}", "\u{202e}", "😀", "é", "\u{10ffff}"];

const PIECES: &[&str] = &[
    ",",
    ":",
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    "null",
    "true",
    "-",
    "1",
    "/**/",
    "//",
    "{}",
    "[]",
    "\"\"",
    "{%",
    "%}",
    "\n",
    " ",
    "'",
    "NaN",
    "undefined",
    "+",
];

const STRING_CONTENTS: &[&str] = &[
    r"\ud800",
    r"\udc00",
    r"\ud83d\ude00",
    r"\udc00\ud800",
    r"\ud800\ud800",
    r"\u0000",
    r"\uZZZZ",
    r"\u12",
    r"\x41",
    r"\/",
    r"\'",
    r"\b\f\n\r\t",
    r"\",
    "",
    " ",
    "{% %}",
    "{% \\ud800 %}",
    "{% '\\u0000' %}",
    "{%%}",
    "{%}",
    "%}{%",
    "__proto__",
    "constructor",
    "~",
    "/",
    "~1~0",
    "../../etc/passwd",
];

const NUMBERS: &[&str] = &[
    "1e999",
    "-1e999",
    "1e-999",
    "-0",
    "-0.0",
    "00",
    "01",
    "1.",
    ".5",
    "1e",
    "1e+",
    "--1",
    "1.0",
    "1E0",
    "10e-1",
    "1e2",
    "0x10",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775809",
    "9007199254740993",
    "1.5",
    "-1",
    "1e308",
    "5e-324",
    "123456789012345678901234567890",
];

fn flip_a_bit(text: &mut [u8], random: &mut Random) {
    let at = random.below(text.len());
    if let Some(byte) = text.get_mut(at) {
        *byte ^= 1 << random.below(8);
    }
}

fn take_out(text: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(text.len());
    if at < text.len() {
        text.remove(at);
    }
}

fn put_in(text: &mut Vec<u8>, random: &mut Random, piece: &[u8]) {
    let at = random.below(text.len() + 1);
    text.splice(at..at, piece.iter().copied());
}

fn swap_a_bracket(text: &mut [u8], random: &mut Random) {
    const BRACKETS: &[u8] = b"{}[],:\"";
    let places: Vec<usize> = (0..text.len()).filter(|at| BRACKETS.contains(&text[*at])).collect();
    if let Some(at) = places.get(random.below(places.len())) {
        text[*at] = *random.choose(BRACKETS);
    }
}

/// Replaces what stands between one byte and the next other one, at a place by chance.
fn replace_between(text: &mut Vec<u8>, random: &mut Random, open: u8, close: u8, with: &[u8]) {
    let start = random.below(text.len() + 1);
    let Some(open) = text[start..].iter().position(|byte| *byte == open).map(|at| start + at + 1) else {
        return;
    };
    let Some(close) = text[open..].iter().position(|byte| *byte == close).map(|at| open + at) else { return };
    text.splice(open..close, with.iter().copied());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_damage_survives_any_text() {
        for change in TEXT_CHANGES {
            for text in ["", "{", "\"", "{\"a\": 1, \"b\": \"é\"}"] {
                for seed in 0..50 {
                    change.apply(&mut text.as_bytes().to_vec(), &mut Random::new(seed));
                }
            }
        }
    }
}
