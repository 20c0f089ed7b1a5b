use std::ops::Range;

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
}

impl Source {
    /// Keeps `text` under `name` (a path or an address, for people).
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(0).chain(newlines).collect();
        Self { name: name.into(), text, line_starts }
    }

    /// The name of the source.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line and column of a byte offset; offsets past the end give the end.
    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let column = self.text[self.line_starts[line - 1]..offset].chars().count() + 1;
        Position { line, column }
    }
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
}
