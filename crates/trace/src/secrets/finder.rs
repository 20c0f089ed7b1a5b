//! Finds secrets in text, in every form in which a page, a server or an address may repeat them.
//!
//! The text is read through its encodings, layer by layer, and compared without regard to case and white space. So a
//! secret is found wherever its characters are, however each of them is encoded. Reversed secrets, hexadecimal and
//! base64 are looked for as well.

use std::borrow::Cow;
use std::ops::Range;

use aho_corasick::{AhoCorasick, Anchored, Input, MatchKind};

use super::packed;
use super::reading::{Piece, decoded, plain};

/// A text to find.
#[derive(Clone, Debug)]
pub struct Sought {
    /// The text.
    pub text: String,
    /// What replaces it.
    pub by: String,
    /// Whether it is found only where it is a whole word, because its characters occur everywhere.
    pub whole: bool,
    /// Whether what a page may make of it is found too: other case, reversed, base64, hexadecimal.
    pub changed: bool,
}

/// Finds texts in every encoding.
pub struct Finder {
    sought: Vec<Sought>,
    /// Looks for characters without case.
    folded: Option<Automaton>,
    /// Looks for base64.
    packed: Option<Automaton>,
}

/// Patterns with what each of them stands for.
struct Automaton {
    search: AhoCorasick,
    patterns: Vec<Pattern>,
}

#[derive(Clone, Copy)]
struct Pattern {
    /// The place in the list of what is sought.
    of: usize,
    kind: Kind,
    /// How many characters it has.
    length: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The text itself or a part of it.
    Text,
    /// The text in another form.
    Changed,
    /// Base64 that ends where the text ends.
    Alone,
}

/// A longer text is looked for in pieces of this many characters.
const PIECE: usize = 256;

/// How many layers of encoding are removed.
const LAYERS: usize = 3;

/// Long texts are read in parts of this many bytes.
const PART: usize = 128 * 1024;

/// Two parts have this many bytes in common, which is more than the longest encoding of a piece.
const OVERLAP: usize = 16 * 1024;

/// In bytes that are no text, a shorter form counts only within a line of text: it may occur by chance.
const BY_CHANCE: usize = 8;

impl Finder {
    /// Looks for these texts; those of white space alone are left out.
    pub fn of(sought: impl IntoIterator<Item = Sought>) -> Self {
        let sought: Vec<Sought> = sought.into_iter().filter(|one| !fold(&one.text).is_empty()).collect();
        let (mut folded, mut packed) = (Vec::new(), Vec::new());
        for (of, one) in sought.iter().enumerate() {
            for piece in pieces(&one.text) {
                folded.push((fold(&piece), of, Kind::Text));
                // A secret may itself look as if it were encoded, and is then decoded with what stands around it.
                folded.extend(decodings(&piece).into_iter().map(|text| (fold(&text), of, Kind::Changed)));
                if !one.changed {
                    continue;
                }
                // Letters may have more capitals than small letters: `ß` becomes `SS`.
                folded.push((fold(&piece.to_uppercase()), of, Kind::Changed));
                folded.push((fold(&piece.chars().rev().collect::<String>()), of, Kind::Changed));
                folded.extend(packed::hexadecimal(&piece).into_iter().map(|text| (text, of, Kind::Changed)));
                packed.extend(packed::base64(&piece).into_iter().map(|text| (text, of, Kind::Changed)));
                packed.extend(packed::base64_alone(&piece).into_iter().map(|text| (text, of, Kind::Alone)));
            }
        }
        Self { sought, folded: Automaton::of(folded), packed: Automaton::of(packed) }
    }

    /// Whether it looks for nothing.
    pub fn is_empty(&self) -> bool {
        self.sought.is_empty()
    }

    /// The text with everything replaced that was found.
    pub fn in_text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.in_bytes(text.as_bytes()) {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            // Forms begin and end where characters do.
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }

    /// The bytes with everything replaced that was found. They may be of any kind.
    pub fn in_bytes<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        let found = self.find(bytes);
        if found.is_empty() {
            return Cow::Borrowed(bytes);
        }
        let mut replaced = Vec::with_capacity(bytes.len());
        let mut from = 0;
        for (range, of) in found {
            replaced.extend_from_slice(&bytes[from..range.start]);
            replaced.extend_from_slice(self.sought[of].by.as_bytes());
            from = range.end;
        }
        replaced.extend_from_slice(&bytes[from..]);
        Cow::Owned(replaced)
    }

    /// Where something is found and what it is, in order and without overlaps.
    fn find(&self, bytes: &[u8]) -> Vec<(Range<usize>, usize)> {
        if self.is_empty() || bytes.is_empty() {
            return Vec::new();
        }
        let is_text = std::str::from_utf8(bytes).is_ok();
        let mut found = Vec::new();
        let mut start = 0;
        loop {
            let end = (start + PART).min(bytes.len());
            let part = Part { bytes, range: start..end, is_text };
            self.find_in(&part, &mut found);
            if end == bytes.len() {
                break;
            }
            start = end - OVERLAP;
        }
        found.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let mut merged: Vec<(Range<usize>, usize)> = Vec::new();
        for (range, of) in found {
            match merged.last_mut().filter(|(last, _)| range.start < last.end) {
                // What begins first keeps its name: of two that begin together that is the longer one.
                Some((last, _)) => last.end = last.end.max(range.end),
                None => merged.push((range, of)),
            }
        }
        merged
    }

    fn find_in(&self, part: &Part<'_>, found: &mut Vec<(Range<usize>, usize)>) {
        let mut layer = plain(&part.bytes[part.range.clone()]);
        for _ in 0..=LAYERS {
            self.find_folded(part, &layer, found);
            self.find_packed(part, &layer, found);
            match decoded(&layer) {
                Some(inner) => layer = inner,
                None => break,
            }
        }
    }

    fn find_folded(&self, part: &Part<'_>, layer: &[Piece], found: &mut Vec<(Range<usize>, usize)>) {
        let Some(automaton) = &self.folded else { return };
        let text = Folded::of(layer);
        automaton.each(&text.bytes, |pattern, range| {
            let pieces = text.pieces[range.start]..text.pieces[range.end - 1] + 1;
            let one = &self.sought[pattern.of];
            let is_cut = layer.get(pieces.end).is_none();
            let beside = [pieces.start.checked_sub(1), Some(pieces.end)];
            let mut beside = beside.into_iter().flatten().filter_map(|at| layer.get(at));
            let is_part = one.whole && beside.any(|piece| piece.c.is_alphanumeric());
            let differs =
                !one.changed && pattern.kind == Kind::Text && !is_exact(&layer[pieces.clone()], &one.text);
            let at = layer[pieces.start].start..layer[pieces.end - 1].end;
            if !is_part && !differs {
                found.extend(part.place(at, pattern, is_cut).map(|range| (range, pattern.of)));
            }
        });
    }

    fn find_packed(&self, part: &Part<'_>, layer: &[Piece], found: &mut Vec<(Range<usize>, usize)>) {
        let Some(automaton) = &self.packed else { return };
        let text: Vec<u8> = layer.iter().map(|piece| packed::standard(piece.c).unwrap_or(b' ')).collect();
        automaton.each(&text, |pattern, range| {
            // The characters beside it have bits of the secret too.
            let start = range.start - usize::from(range.start > 0 && text[range.start - 1] != b' ');
            let end = range.end + usize::from(text.get(range.end).is_some_and(|next| *next != b' '));
            if pattern.kind == Kind::Alone && (start, end) != (range.start, range.end) {
                return;
            }
            let at = layer[start].start..layer[end - 1].end;
            let is_cut = layer.get(end).is_none();
            found.extend(part.place(at, pattern, is_cut).map(|range| (range, pattern.of)));
        });
    }
}

impl std::fmt::Debug for Finder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A log must not contain what is sought.
        f.debug_struct("Finder").finish_non_exhaustive()
    }
}

impl Default for Finder {
    fn default() -> Self {
        Self::of([])
    }
}

impl Automaton {
    fn of(patterns: Vec<(String, usize, Kind)>) -> Option<Self> {
        let patterns: Vec<_> = patterns.into_iter().filter(|(text, ..)| !text.is_empty()).collect();
        if patterns.is_empty() {
            return None;
        }
        let search = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .build(patterns.iter().map(|(text, ..)| text))
            .expect("the number and the length of secrets are bounded");
        let patterns = patterns
            .into_iter()
            .map(|(text, of, kind)| Pattern { of, kind, length: text.chars().count() })
            .collect();
        Some(Self { search, patterns })
    }

    /// Calls `visit` with every match, overlapping ones too.
    fn each(&self, text: &[u8], mut visit: impl FnMut(Pattern, Range<usize>)) {
        let input = Input::new(text).anchored(Anchored::No);
        for found in self.search.find_overlapping_iter(input) {
            visit(self.patterns[found.pattern().as_usize()], found.range());
        }
    }
}

/// A part of long bytes.
struct Part<'b> {
    bytes: &'b [u8],
    range: Range<usize>,
    is_text: bool,
}

impl Part<'_> {
    /// The place of a match in the whole, unless it does not count.
    fn place(&self, at: Range<usize>, pattern: Pattern, is_cut: bool) -> Option<Range<usize>> {
        // What stands beside it is in the other part.
        let begins = at.start == 0 && self.range.start > 0;
        let ends = is_cut && self.range.end < self.bytes.len();
        if begins || ends {
            return None;
        }
        let whole = at.start + self.range.start..at.end + self.range.start;
        let by_chance = !self.is_text && pattern.length < BY_CHANCE;
        (!by_chance || is_in_line_of_text(self.bytes, &whole)).then_some(whole)
    }
}

/// Whether a range stands in a line of text.
fn is_in_line_of_text(bytes: &[u8], range: &Range<usize>) -> bool {
    let is_text = |byte: &u8| !byte.is_ascii_control() || matches!(byte, b'\t' | b'\r');
    bytes[..range.start].iter().rev().take_while(|byte| **byte != b'\n').all(is_text)
        && bytes[range.end..].iter().take_while(|byte| **byte != b'\n').all(is_text)
}

/// A layer without case, and with one blank for all white space and for `+`, which stands for a blank in forms.
struct Folded {
    bytes: Vec<u8>,
    /// The piece of each byte.
    pieces: Vec<usize>,
}

impl Folded {
    fn of(layer: &[Piece]) -> Self {
        let mut folded =
            Self { bytes: Vec::with_capacity(layer.len()), pieces: Vec::with_capacity(layer.len()) };
        for (number, piece) in layer.iter().enumerate() {
            each_folded(piece.c, |c| folded.push(c, number));
        }
        folded
    }

    fn push(&mut self, c: char, piece: usize) {
        if c == ' ' && self.bytes.last() == Some(&b' ') {
            return;
        }
        let mut buffer = [0; 4];
        let bytes = c.encode_utf8(&mut buffer).as_bytes();
        self.bytes.extend_from_slice(bytes);
        self.pieces.extend(std::iter::repeat_n(piece, bytes.len()));
    }
}

fn each_folded(c: char, mut visit: impl FnMut(char)) {
    match c {
        '+' => visit(' '),
        c if c.is_whitespace() => visit(' '),
        c if c.is_ascii() => visit(c.to_ascii_lowercase()),
        c => c.to_lowercase().for_each(visit),
    }
}

/// A text as it is compared.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        each_folded(c, |c| {
            if c != ' ' || !folded.ends_with(' ') {
                folded.push(c);
            }
        });
    }
    folded.trim().to_owned()
}

/// Whether pieces are a text or a part of it, with regard to case.
fn is_exact(pieces: &[Piece], text: &str) -> bool {
    let blank = |c: char| if c == '+' { ' ' } else { c };
    let found: String = pieces.iter().map(|piece| blank(piece.c)).collect();
    text.chars().map(blank).collect::<String>().contains(found.trim())
}

/// What a text becomes when it is decoded once, twice and so on.
fn decodings(text: &str) -> Vec<String> {
    let first = plain(text.as_bytes());
    let layers = std::iter::successors(decoded(&first), |layer| decoded(layer)).take(LAYERS);
    layers.map(|layer| layer.iter().map(|piece| piece.c).collect()).collect()
}

/// A text in pieces of a bounded length, of which the last overlaps the one before it.
fn pieces(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= PIECE {
        return vec![text.to_owned()];
    }
    let last = characters.len() - PIECE;
    let starts = (0..last).step_by(PIECE).chain([last]);
    starts.map(|start| characters[start..start + PIECE].iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sought(text: &str, changed: bool) -> Sought {
        let whole = text.chars().count() < 4;
        Sought { text: text.to_owned(), by: "*".to_owned(), whole, changed }
    }

    fn finder(texts: &[&str]) -> Finder {
        Finder::of(texts.iter().map(|text| sought(text, true)))
    }

    #[test]
    fn a_secret_is_found_in_every_encoding() {
        let finder = finder(&["pä ss\"w/rd"]);
        for text in [
            "pä ss\"w/rd",
            "p%C3%A4%20ss%22w%2Frd",
            "p%c3%a4+ss%22w%2frd",
            "p%E4+ss%22w/rd",
            r#"pä ss\"w\/rd"#,
            r"p\u00E4\u0020ss\u0022w\u002frd",
            "p&auml;&nbsp;ss&quot;w&#47;rd",
            "p&amp;auml; ss&amp;quot;w/rd",
            "p%25C3%25A4%2520ss%2522w%252Frd",
            r"p\\u00e4 ss\\\u0022w/rd",
            "PÄ\n  SS\"W/RD",
            "dr/w\"ss äp",
            "70c3a4207373222f",
        ] {
            let seen = finder.in_text(text);
            // The last one is only a part of the secret.
            assert_eq!(seen == "*", !text.starts_with("70c3"), "{text} became {seen}");
        }
    }

    #[test]
    fn a_secret_is_found_in_base64_of_either_alphabet() {
        let finder = finder(&["~~hunter22??"]);
        for before in ["", "a", "ada:", "lovelace:"] {
            let text = format!("{before}~~hunter22??");
            for coded in [
                data_encoding::BASE64.encode(text.as_bytes()),
                data_encoding::BASE64URL_NOPAD.encode(text.as_bytes()),
                data_encoding::BASE64.encode(text.as_bytes()).replace('/', "%2F").replace('+', "%2B"),
            ] {
                let seen = finder.in_text(&coded);
                assert!(seen.contains('*') && seen.len() < coded.len() - 8, "{coded} became {seen}");
            }
        }
    }

    #[test]
    fn a_short_secret_is_found_only_as_a_whole_word() {
        let finder = finder(&["42", " "]);
        assert_eq!(finder.in_text("/pin/42?pin=42&room=142 a%2042 421"), "/pin/*?pin=*&room=142 a%20* 421");
        assert_eq!(finder.in_text("+ + a  b"), "+ + a  b");
    }

    #[test]
    fn bytes_that_are_no_text_change_only_in_lines_of_text() {
        let found = |bytes: &[u8]| finder(&["pässword", "42"]).in_bytes(bytes).into_owned();
        assert_eq!(found(b"\xff p\xc3\xa4ssword \xff p%C3%A4ssword"), b"\xff * \xff *");
        assert_eq!(found(b"<p>p\xe4ssword\xe4</p>"), b"<p>*\xe4</p>");
        assert_eq!(found(b"pin\r\n42\r\n\xff"), b"pin\r\n*\r\n\xff");
        for picture in [b"\xff\x01 42 ".as_slice(), b"\xff 42\x02", b"\xff 142", b"\xff42"] {
            assert_eq!(found(picture), picture);
        }
    }

    #[test]
    fn a_long_secret_is_found_in_a_long_text() {
        let secret: String = (0..2_000_u32).map(|n| char::from(b'a' + (n * n % 25) as u8)).collect();
        let finder = finder(&[&secret]);
        for before in [0, 1, PART - OVERLAP, PART - 1_000, PART, 3 * PART - 17] {
            let text = format!("{}{secret}{}", "-".repeat(before), "-".repeat(PART));
            let seen = finder.in_text(&text);
            assert_eq!(seen.trim_matches('-').replace('*', ""), "", "after {before} bytes");
        }
    }

    #[test]
    fn a_token_is_found_as_it_stands_and_not_changed() {
        let finder = Finder::of([sought("s:K3jf8sd/f9", false)]);
        assert_eq!(finder.in_text("s:K3jf8sd/f9 s%3aK3jf8sd%2Ff9 s:k3jf8sd/f9"), "* * s:k3jf8sd/f9");
        assert_eq!(finder.in_text("9f/ds8fj3K:s"), "9f/ds8fj3K:s");
    }

    #[test]
    fn a_secret_that_looks_encoded_is_found_in_every_encoding() {
        let finder = finder(&["a%4a\"\\n&lt;b"]);
        for text in
            ["a%4a\"\\n&lt;b", "a%4a\\\"\\\\n&lt;b", "a%4a&quot;\\n&amp;lt;b", "a%254a%22%5Cn%26lt%3Bb"]
        {
            assert_eq!(finder.in_text(text), "*", "{text}");
        }
    }

    #[test]
    fn overlapping_secrets_are_replaced_together() {
        assert_eq!(finder(&["abcd", "cdefg"]).in_text("xabcdefgx"), "x*x");
    }
}
