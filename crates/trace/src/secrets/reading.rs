//! Reads text through the encodings that pages, servers and addresses put over it.

use super::entity;

/// A character with the bytes it was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) c: char,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The characters of bytes. What is no UTF-8 is read as Latin-1.
pub(super) fn plain(bytes: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(bytes.len());
    let mut start = 0;
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            pieces.push(Piece { c, start, end: start + c.len_utf8() });
            start += c.len_utf8();
        }
        for byte in chunk.invalid() {
            pieces.push(Piece { c: char::from(*byte), start, end: start + 1 });
            start += 1;
        }
    }
    pieces
}

/// The same text with one layer of encoding removed: percent signs, backslashes, entities, in any mixture. `None` if
/// there is none.
pub(super) fn decoded(pieces: &[Piece]) -> Option<Vec<Piece>> {
    if !pieces.iter().any(|piece| matches!(piece.c, '%' | '\\' | '&')) {
        return None;
    }
    let mut decoded = Vec::with_capacity(pieces.len());
    let mut rest = pieces;
    let mut changed = false;
    while let Some(first) = rest.first() {
        let escape = match first.c {
            '%' => percent(rest),
            '\\' => backslash(rest),
            '&' => entity(rest),
            _ => None,
        };
        changed |= escape.is_some();
        let (c, length) = escape.unwrap_or((first.c, 1));
        decoded.push(Piece { c, start: first.start, end: rest[length - 1].end });
        rest = &rest[length..];
    }
    changed.then_some(decoded)
}

/// A character and how many pieces stand for it.
type Escape = Option<(char, usize)>;

fn percent(rest: &[Piece]) -> Escape {
    match rest.get(1)?.c {
        'u' | 'U' => unit(rest, 2).and_then(char::from_u32).map(|c| (c, 6)),
        _ => bytes(rest, &['%']),
    }
}

fn backslash(rest: &[Piece]) -> Escape {
    let escaped = rest.get(1)?.c;
    match escaped {
        'u' if rest.get(2)?.c == '{' => {
            let digits: String = rest[3..].iter().take(7).map(|piece| piece.c).collect();
            let (digits, _) = digits.split_once('}')?;
            let c = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)?;
            Some((c, 4 + digits.len()))
        }
        'u' => {
            let high = unit(rest, 2)?;
            if let Some(c) = char::from_u32(high) {
                return Some((c, 6));
            }
            let pair = rest.get(6)?.c == '\\' && rest.get(7)?.c == 'u';
            let low = unit(rest, 8).filter(|_| pair)?;
            let code = 0x1_0000 + ((high & 0x3ff) << 10) + (low & 0x3ff);
            Some((char::from_u32(code)?, 12))
        }
        'x' => bytes(rest, &['\\', 'x']),
        'n' | 'r' | 't' | 'f' | 'v' => Some((' ', 2)),
        '"' | '\'' | '`' | '/' | '\\' => Some((escaped, 2)),
        _ => None,
    }
}

fn entity(rest: &[Piece]) -> Escape {
    let name: String = rest[1..].iter().take(LONGEST_ENTITY).map(|piece| piece.c).collect();
    let (name, _) = name.split_once(';')?;
    let length = name.chars().count() + 2;
    let c = match name.strip_prefix('#') {
        Some(number) => {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            code.ok().and_then(char::from_u32)?
        }
        None => entity::named(name)?,
    };
    Some((c, length))
}

/// The longest entity, without the ampersand.
const LONGEST_ENTITY: usize = 12;

/// A character whose bytes are written in hexadecimal, each after the same mark: as UTF-8, or else as Latin-1.
fn bytes(rest: &[Piece], mark: &[char]) -> Escape {
    let width = mark.len() + 2;
    let byte = |number: usize| {
        let piece = rest.get(number * width..(number + 1) * width)?;
        let marked = piece.iter().zip(mark).all(|(piece, mark)| piece.c == *mark);
        hex(&piece[mark.len()..]).filter(|_| marked).and_then(|byte| u8::try_from(byte).ok())
    };
    let first = byte(0)?;
    let length = match first {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    let sequence: Option<Vec<u8>> = (0..length).map(byte).collect();
    let text = sequence.and_then(|sequence| String::from_utf8(sequence).ok());
    match text.as_deref().and_then(|text| text.chars().next()) {
        Some(c) => Some((c, length * width)),
        None => Some((char::from(first), width)),
    }
}

/// The four hexadecimal digits from a piece on.
fn unit(rest: &[Piece], from: usize) -> Option<u32> {
    hex(rest.get(from..from + 4)?)
}

fn hex(digits: &[Piece]) -> Option<u32> {
    digits.iter().try_fold(0, |number, digit| Some(number << 4 | digit.c.to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let pieces = plain(text.as_bytes());
        decoded(&pieces).unwrap_or(pieces).iter().map(|piece| piece.c).collect()
    }

    #[test]
    fn every_encoding_is_read_in_any_mixture() {
        for text in [
            "pä's/😀",
            "p%C3%A4%27s%2F%f0%9f%98%80",
            "p%e4's/😀",
            r"p\u00e4\u0027s\/\ud83d\ude00",
            r"p\xe4\x27s/\u{1F600}",
            r"p\xc3\xa4\'s/\uD83D\uDE00",
            "p&auml;&#39;s&#x2f;&#128512;",
            "p%u00e4&apos;s%2f&#x1F600;",
        ] {
            assert_eq!(read(text), "pä's/😀", "{text}");
        }
    }

    #[test]
    fn what_is_no_encoding_stays() {
        for text in ["100%", "%zz", r"C:\dir\u12", "a & b; c", "&nosuch;", r"\ud800x", "\\"] {
            assert_eq!(read(text), text);
        }
    }

    #[test]
    fn a_piece_stands_where_its_encoding_stands() {
        let bytes = b"a%20\xe4b";
        let pieces = decoded(&plain(bytes)).unwrap();
        let places: Vec<_> = pieces.iter().map(|piece| (piece.c, piece.start, piece.end)).collect();
        assert_eq!(places, [('a', 0, 1), (' ', 1, 4), ('ä', 4, 5), ('b', 5, 6)]);
    }
}
