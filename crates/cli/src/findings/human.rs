//! Findings with their source line, for people.

use std::ops::Range;

use actions_manifest::document::{Source, Span};
use actions_manifest::{Finding, Severity};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use crate::output::note;
use crate::text::visible;

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
    let title = level.primary_title(visible(&finding.message)).id(finding.rule.code);
    let mut group = title.element(snippet(&finding.source, finding.span, AnnotationKind::Primary, None));
    for related in &finding.related {
        let label = Some(visible(&related.message));
        group = group.element(snippet(&related.source, related.span, AnnotationKind::Context, label));
    }
    if !finding.pointer.is_empty() {
        group = group.element(Level::NOTE.with_name("at").message(visible(&finding.pointer)));
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(visible(help)));
    }
    vec![group]
}

/// Returns the source line of a span; the first line if it spans several. Of a file that is not a map, the position only.
pub(crate) fn snippet<'s>(
    source: &'s Source,
    span: Span,
    kind: AnnotationKind,
    label: Option<String>,
) -> Element<'s> {
    if !source.may_be_shown() {
        let position = source.position(span.start);
        return Origin::path(source.name()).line(position.line).char_column(position.column).into();
    }
    let (line, start) = line_of(source.text(), span.start);
    let from = span.start - start;
    let to = span.end.saturating_sub(start).clamp(from, line.len().max(from));
    let text = &source.text()[line.clone()];
    Snippet::source(text)
        .line_start(source.position(span.start).line)
        .path(source.name())
        .annotation(kind.span(from..to.max(from)).label(label))
        .into()
}

fn line_of(text: &str, offset: usize) -> (Range<usize>, usize) {
    let offset = offset.min(text.len());
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let end = text[offset..].find('\n').map_or(text.len(), |at| offset + at);
    (start..end, start)
}
