//! Findings with their source line, for people.

use actions_manifest::document::{Source, Span};
use actions_manifest::{Finding, Severity};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use crate::output::note;
use crate::text::line;

/// Prints findings with their source lines on standard error.
pub(crate) fn print<'f>(findings: impl IntoIterator<Item = &'f Finding>) {
    let renderer = Renderer::styled().decor_style(DecorStyle::Unicode);
    for finding in findings {
        note(format_args!("{}\n", renderer.render(&groups(finding))));
    }
}

fn groups(finding: &Finding) -> Vec<Group<'_>> {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Advice => Level::NOTE.with_name("advice"),
    };
    let title = level.primary_title(line(&finding.message)).id(finding.rule.code);
    let mut group = title.elements(snippet(&finding.source, finding.span, AnnotationKind::Primary, None));
    for related in &finding.related {
        let label = Some(line(&related.message));
        group = group.elements(snippet(&related.source, related.span, AnnotationKind::Context, label));
    }
    if !finding.pointer.is_empty() {
        group = group.element(Level::NOTE.with_name("at").message(line(&finding.pointer)));
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(line(help)));
    }
    vec![group]
}

/// How much of a line is shown on either side of a place, in bytes. A file may be one line of megabytes.
const BESIDE: usize = 200;

/// Returns the source line of a span; the first line if it spans several, and the middle of a long line. Of a file that
/// is not a map, only the position.
pub(crate) fn snippet(
    source: &Source,
    span: Span,
    kind: AnnotationKind,
    label: Option<String>,
) -> Vec<Element<'static>> {
    let position = source.position(span.start);
    let path = line(source.name());
    let place = Origin::path(path.clone()).line(position.line).char_column(position.column);
    if !source.may_be_shown() {
        return vec![place.into()];
    }
    let excerpt = Excerpt::of(source.text(), span);
    let snippet = Snippet::source(excerpt.text)
        .line_start(position.line)
        .annotation(kind.span(excerpt.span.into()).label(label));
    match excerpt.is_cut {
        // The column of an excerpt is not that of the line.
        true => vec![place.into(), snippet.into()],
        false => vec![snippet.path(path).into()],
    }
}

/// A part of a line that can be shown.
struct Excerpt {
    text: String,
    span: Span,
    /// Whether something is left out before the place.
    is_cut: bool,
}

impl Excerpt {
    fn of(text: &str, span: Span) -> Self {
        let start = span.start.min(text.len());
        // Looking for the ends of a long line would take long.
        let before = floor(text, start.saturating_sub(BESIDE));
        let after = floor(text, start.saturating_add(BESIDE));
        let line_start = text[before..start].rfind('\n').map(|at| before + at + 1);
        let line_end = text[start..after].find('\n').map(|at| start + at);
        let (from, to) = (line_start.unwrap_or(before), line_end.unwrap_or(after));
        let end = span.end.clamp(start, to);
        let is_cut = line_start.is_none() && from > 0;
        let mut shown = if is_cut { "…".to_owned() } else { String::new() };
        shown += &line(&text[from..start]);
        let first = shown.len();
        shown += &line(&text[start..end]);
        let last = shown.len();
        shown += &line(&text[end..to]);
        if line_end.is_none() && to < text.len() {
            shown.push('…');
        }
        Self { text: shown, span: Span::new(first, last), is_cut }
    }
}

/// The last boundary of a character at or before an offset.
fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str, start: usize, end: usize) -> (String, String, bool) {
        let excerpt = Excerpt::of(text, Span::new(start, end));
        let marked = excerpt.text[excerpt.span.start..excerpt.span.end].to_owned();
        (excerpt.text, marked, excerpt.is_cut)
    }

    #[test]
    fn a_short_line_is_shown_whole() {
        let text = "{\n  \"a\": \"é\",\n}";
        assert_eq!(excerpt(text, 9, 13), ("  \"a\": \"é\",".to_owned(), "\"é\"".to_owned(), false));
        assert_eq!(excerpt(text, text.len(), text.len() + 5), ("}".to_owned(), String::new(), false));
    }

    #[test]
    fn a_long_line_is_shown_around_the_place() {
        let text = format!("{}X{}", "é".repeat(10_000), "ü".repeat(10_000));
        let (shown, marked, is_cut) = excerpt(&text, 20_000, 20_001);
        assert!(is_cut && marked == "X" && shown.len() < 500, "{shown}");
        assert!(shown.starts_with("…é") && shown.ends_with("ü…"), "{shown}");
    }

    #[test]
    fn control_characters_of_a_line_are_escaped_beside_the_place() {
        let text = "\u{9b}2J \"x\" \u{202e}";
        assert_eq!(excerpt(text, 5, 8), ("\\u{9b}2J \"x\" \\u{202e}".to_owned(), "\"x\"".to_owned(), false));
    }
}
