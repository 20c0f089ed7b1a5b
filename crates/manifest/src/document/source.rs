//! A source text with its spans, lines and columns.

use std::ops::Range;
use std::sync::OnceLock;

/// A half-open range of byte offsets into a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The offset of the first byte.
    pub start: usize,
    /// The offset after the last byte.
    pub end: usize,
}

impl Span {
    /// A span from `start` up to and without `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }
}

impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        span.start..span.end
    }
}

/// A place as people read it: line and column, both from 1; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// A source text with its name and an index of its lines.
#[derive(Debug)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<usize>,
    /// The number of characters before every [`STRIDE`]th byte; counted when a place is first asked for.
    characters: OnceLock<Vec<usize>>,
}

/// A file may be one line of megabytes with thousands of findings; no column is counted over more bytes than this.
const STRIDE: usize = 1024;

impl Source {
    /// Keeps `text` under `name` (a path or an address, for people).
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(0).chain(newlines).collect();
        Self { name: name.into(), text, line_starts, characters: OnceLock::new() }
    }

    /// The name of the source.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the text begins as a map does. The text of another file, such as one that an import names by mistake or
    /// on purpose, is not shown.
    pub fn may_be_shown(&self) -> bool {
        let text = self.text.trim_start_matches('\u{feff}').trim_start();
        text.is_empty() || text.starts_with('{')
    }

    /// The line and column of a byte offset; offsets past the end give the end.
    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let column = self.characters_before(offset) - self.characters_before(self.line_starts[line - 1]) + 1;
        Position { line, column }
    }

    /// How many characters begin before a byte offset.
    fn characters_before(&self, offset: usize) -> usize {
        let strides = self.characters.get_or_init(|| {
            let chunks = self.text.as_bytes().chunks(STRIDE);
            let counted = chunks.scan(0, |count, chunk| {
                let before = *count;
                *count += beginnings(chunk);
                Some(before)
            });
            counted.collect()
        });
        let stride = (offset / STRIDE).min(strides.len().saturating_sub(1));
        let counted = strides.get(stride).copied().unwrap_or_default();
        counted + beginnings(&self.text.as_bytes()[stride * STRIDE..offset])
    }
}

/// How many characters begin in these bytes of a text.
fn beginnings(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| (**byte & 0xC0) != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_survive_any_offset() {
        let source = Source::new("t", "{\n  \"é\": 1\n}");
        assert_eq!(source.position(0), Position { line: 1, column: 1 });
        assert_eq!(source.position(4), Position { line: 2, column: 3 });
        assert_eq!(source.position(6), Position { line: 2, column: 4 }, "inside é");
        assert_eq!(source.position(7), Position { line: 2, column: 5 });
        assert_eq!(source.position(999), Position { line: 3, column: 2 });
    }

    #[test]
    fn columns_are_right_far_into_a_line() {
        let text = format!("é\n{}", "aé😀".repeat(2000));
        let source = Source::new("t", text.as_str());
        for (characters, (offset, _)) in text.char_indices().enumerate().skip(2) {
            assert_eq!(source.position(offset), Position { line: 2, column: characters - 1 });
        }
        assert_eq!(source.position(text.len()), Position { line: 2, column: 6001 });
        assert_eq!(Source::new("t", "").position(0), Position { line: 1, column: 1 });
    }
}
