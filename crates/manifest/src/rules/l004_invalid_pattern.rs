//! A regular expression in a locator uses only what can be matched in linear time.
//!
//! `text_matches` and `name_matches` know characters, `.`, classes such as `[a-z]` and `[^x]`, `\d`, `\w`, `\s` and their
//! opposites, `^`, `$`, groups `(…)` and `(?:…)`, alternatives, and the repetitions `*`, `+`, `?`, `{n}`, `{n,}` and
//! `{n,m}`. There are no flags (use `ignore_case`), look-arounds, back-references, word boundaries, lazy repetitions and
//! `\p` classes. An expression matches anywhere in the text; `^` and `$` stand for its ends.
//!
//! Breaks the rule:
//! ```json
//! { "locator": { "role": "button", "name_matches": "(?i)save( all)?" } }
//! ```
//!
//! Instead:
//! ```json
//! { "locator": { "role": "button", "name_matches": "save( all)?", "ignore_case": true } }
//! ```

use regex_syntax::ast::{
    AssertionKind, Ast, ClassSet, ClassSetItem, GroupKind, LiteralKind, RepetitionKind, RepetitionRange,
    SpecialLiteralKind,
};

use crate::document::Node;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::{Subject, is_locator, literal};

pub(super) static RULE: Rule = Rule::error("L004", include_str!("l004_invalid_pattern.rs"));

const KEYS: &[&str] = &["text_matches", "name_matches"];

/// Other arguments that name an element by a locator.
const ELEMENTS: &[&str] = &["target", "from", "to"];

/// The largest program of the page script, in characters and choices.
const MAX_SIZE: u64 = 1_000;

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for target in &subject.view.targets {
        target.node.walk(&mut |node| patterns(node, report));
    }
    let args = subject.view.primitives.iter().filter_map(|used| used.args);
    let settles = subject.view.steps().filter_map(|step| step.settle_after);
    for place in args.chain(settles) {
        place.walk(&mut |node| {
            if is_locator(node) || node.key().is_some_and(|key| ELEMENTS.contains(&key)) {
                patterns(node, report);
            }
        });
    }
}

/// Checks the expressions of a locator or target.
fn patterns(node: Node<'_>, report: &mut Report) {
    KEYS.iter().filter_map(|key| node.get(key)).for_each(|pattern| check(pattern, report));
}

fn check(node: Node<'_>, report: &mut Report) {
    let Some(pattern) = literal(node) else { return };
    let size = match regex_syntax::ast::parse::Parser::new().parse(pattern) {
        Ok(ast) => size(&ast),
        Err(error) => Err(format!("the regular expression is not valid: {}", error.kind())),
    };
    match size {
        // One more instruction reports the match.
        Ok(size) if size < MAX_SIZE => {}
        Ok(_) => drop(report.find(&RULE, node, "the regular expression is too large").help("repeat less")),
        Err(message) => {
            let help = "use characters, classes, groups, `|`, `^`, `$`, `*`, `+`, `?` and `{n,m}`";
            report.find(&RULE, node, message).help(help);
        }
    }
}

/// Returns how many instructions an expression needs in the page script, or what it does not know.
fn size(ast: &Ast) -> Result<u64, String> {
    let unknown = |what: &str| Err(format!("{what} cannot be used here"));
    match ast {
        Ast::Empty(_) => Ok(0),
        Ast::Dot(_) | Ast::ClassPerl(_) => Ok(1),
        Ast::Flags(_) => unknown("a flag"),
        Ast::Literal(literal) if known(&literal.kind) => Ok(1),
        Ast::Literal(literal) => unknown(&format!("the escape of `{}`", literal.c)),
        Ast::Assertion(assertion) => match assertion.kind {
            AssertionKind::StartLine | AssertionKind::EndLine => Ok(1),
            _ => unknown("a boundary other than `^` and `$`"),
        },
        Ast::ClassUnicode(_) => unknown("a `\\p` class"),
        Ast::ClassBracketed(class) => match &class.kind {
            ClassSet::Item(item) if plain(item) => Ok(1),
            _ => unknown("a class in a class"),
        },
        Ast::Repetition(repeated) => {
            let inner = size(&repeated.ast)?;
            if !repeated.greedy {
                return unknown("a lazy repetition");
            }
            match *repeated.ast {
                Ast::Repetition(_) => return unknown("a repetition of a repetition"),
                Ast::Assertion(_) => return unknown("a repetition of `^` or `$`"),
                _ => {}
            }
            Ok(match &repeated.op.kind {
                RepetitionKind::ZeroOrOne => inner.saturating_add(1),
                RepetitionKind::ZeroOrMore => inner.saturating_add(2),
                RepetitionKind::OneOrMore => inner.saturating_mul(2).saturating_add(2),
                RepetitionKind::Range(range) => match *range {
                    RepetitionRange::Exactly(n) => inner.saturating_mul(n.into()),
                    RepetitionRange::AtLeast(n) => inner.saturating_mul(u64::from(n) + 1).saturating_add(2),
                    RepetitionRange::Bounded(_, most) => (inner + 1).saturating_mul(most.into()),
                },
            })
        }
        Ast::Group(group) => match group.kind {
            GroupKind::CaptureIndex(_) => size(&group.ast),
            GroupKind::NonCapturing(ref flags) if flags.items.is_empty() => size(&group.ast),
            _ => unknown("a group with a name or flags"),
        },
        Ast::Alternation(all) => {
            let parts = sum(&all.asts)?;
            Ok(parts.saturating_add(all.asts.len() as u64 + 1))
        }
        Ast::Concat(all) => sum(&all.asts),
    }
}

fn sum(parts: &[Ast]) -> Result<u64, String> {
    parts.iter().try_fold(0_u64, |all, part| Ok(all.saturating_add(size(part)?)))
}

fn known(kind: &LiteralKind) -> bool {
    use SpecialLiteralKind::{CarriageReturn, LineFeed, Tab};
    match kind {
        LiteralKind::Verbatim | LiteralKind::Meta | LiteralKind::Superfluous => true,
        LiteralKind::Special(special) => matches!(special, Tab | LineFeed | CarriageReturn),
        LiteralKind::Octal | LiteralKind::HexFixed(_) | LiteralKind::HexBrace(_) => false,
    }
}

/// Whether a class lists only characters, ranges and `\d`, `\w`, `\s`.
fn plain(item: &ClassSetItem) -> bool {
    match item {
        ClassSetItem::Literal(literal) => known(&literal.kind),
        ClassSetItem::Range(range) => known(&range.start.kind) && known(&range.end.kind),
        ClassSetItem::Perl(_) => true,
        ClassSetItem::Union(union) => union.items.iter().all(plain),
        ClassSetItem::Empty(_)
        | ClassSetItem::Ascii(_)
        | ClassSetItem::Unicode(_)
        | ClassSetItem::Bracketed(_) => false,
    }
}
