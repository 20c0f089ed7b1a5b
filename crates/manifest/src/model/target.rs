//! Targets: how a map names elements and pages.

use actions_protocol::SafeName;
use serde_json::{Value, json};

use crate::document::{Kind, Node};
use crate::finding::Report;
use crate::lower::{Count, Definitions, Located, Lower, Prose, object, words, wrong_type};
use crate::reading::s005_out_of_bounds;

object! {
    /// Where in the live page something applies.
    Target "target" Strict {
        /// The preferred CSS selector.
        optional selector: Located<String>,
        /// CSS selectors to try in order.
        optional selectors: Selectors,
        /// The role by the accessibility rules.
        optional role: Located<String>,
        /// The accessible name, or a name for people.
        optional name: String,
        /// The whole visible text.
        optional text_equals: String,
        /// A part of the visible text.
        optional text_contains: String,
        /// A regular expression that the visible text must match somewhere.
        optional text_matches: String,
        /// A regular expression that the accessible name must match somewhere.
        optional name_matches: String,
        /// Whether texts and names are compared without regard to case.
        optional ignore_case: bool,
        /// States of the element, beside its role.
        optional states: ElementStates,
        /// An element that the element must contain.
        optional has: Box<Target>,
        /// An element that the element must not contain.
        optional not: Box<Target>,
        /// Which of several candidates is meant, counted from 0; -1 is the last.
        optional nth: Nth,
        /// A part of the page's address.
        optional url_contains: String,
        /// A glob over the page's address; `*` stands for anything.
        optional url_matches: UrlPatterns,
        /// The state the page must be in.
        optional state: Located<String>,
        /// CSS selectors to try when the preferred ones match nothing; using one is reported as drift.
        optional fallback_selectors: Selectors,
        /// How sure the author is.
        optional confidence: Confidence,
        /// Notes for reviewers.
        optional notes: Value,
    }
}

object! {
    /// States that an element must have.
    ElementStates "element_states" Strict {
        /// It is checked.
        optional checked: bool,
        /// It is disabled.
        optional disabled: bool,
        /// What it opens is open.
        optional expanded: bool,
        /// It is a toggle button that is on.
        optional pressed: bool,
        /// It is the selected option, tab or row.
        optional selected: bool,
        /// The level of a heading or tree item.
        optional level: Count,
    }
}

/// The number of a candidate, from 0; -1 is the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nth(pub i64);

impl Nth {
    const MAX: i64 = 9_999;
}

impl Lower for Nth {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let Some(number) = node.as_number() else {
            wrong_type(node, "a number", report);
            return None;
        };
        let whole = number.as_f64().filter(|nth| nth.fract() == 0.0).map(|nth| nth as i64);
        let nth = whole.filter(|nth| (-1..=Self::MAX).contains(nth));
        if nth.is_none() {
            let message = format!("`nth` is {number}");
            let help = format!("a whole number from -1, the last, to {}", Self::MAX);
            report.find(&s005_out_of_bounds::RULE, node, message).help(help);
        }
        nth.map(Self)
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": "integer", "minimum": -1, "maximum": Self::MAX })
    }
}

words! {
    /// How sure the author of a target is.
    Confidence {
        /// Seen on the live page.
        Observed = "observed",
        /// Concluded from something else.
        Inferred = "inferred",
        /// Written by a generator.
        Generated = "generated",
        /// Not said.
        Unknown = "unknown",
    }
}

/// One CSS selector or several, in order.
#[derive(Clone, Debug)]
pub struct Selectors(pub Vec<Located<String>>);

impl Lower for Selectors {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        one_or_many(node, "a string or an array of strings", report).map(Self)
    }

    fn schema(_: &mut Definitions) -> Value {
        one_or_many_schema(json!({ "type": "string" }))
    }
}

/// One glob over the page's address or several, any of which may match.
#[derive(Clone, Debug)]
pub struct UrlPatterns(pub Vec<Located<String>>);

impl Lower for UrlPatterns {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        one_or_many(node, "a string or an array of strings", report).map(Self)
    }

    fn schema(_: &mut Definitions) -> Value {
        one_or_many_schema(json!({ "type": "string" }))
    }
}

/// One state name or several.
#[derive(Clone, Debug)]
pub struct Names(pub Vec<Located<SafeName>>);

impl Lower for Names {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        one_or_many(node, "a name or an array of names", report).map(Self)
    }

    fn schema(definitions: &mut Definitions) -> Value {
        let name = SafeName::schema(definitions);
        one_or_many_schema(name)
    }
}

fn one_or_many<T: Lower>(node: Node<'_>, expected: &str, report: &mut Report) -> Option<Vec<Located<T>>> {
    match node.kind() {
        Kind::Array => Some(node.elements().filter_map(|element| Located::lower(element, report)).collect()),
        Kind::String => Located::lower(node, report).map(|one| vec![one]),
        _ => {
            wrong_type(node, expected, report);
            None
        }
    }
}

fn one_or_many_schema(one: Value) -> Value {
    json!({ "anyOf": [one, { "type": "array", "items": one }] })
}

/// A target written out, or the name of a tool or attachment that has one.
#[derive(Clone, Debug)]
pub enum TargetReference {
    /// Written out in place.
    Inline(Box<Target>),
    /// The target of the tool or attachment of this name.
    Named(Located<String>),
}

impl Lower for TargetReference {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        match node.kind() {
            Kind::String => Located::lower(node, report).map(Self::Named),
            _ => Target::lower(node, report).map(|target| Self::Inline(Box::new(target))),
        }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        json!({ "anyOf": [{ "type": "string" }, Target::schema(definitions)] })
    }
}

object! {
    /// Where to look for the truth behind an entry; never executed.
    SourceHints "source" Open {
        /// Files of the package, relative to its root.
        list files: Located<String>,
        /// Notes for reviewers.
        optional notes: Value,
    }
}

object! {
    /// Where a map or projection applies.
    Scope "scope" Strict {
        /// A glob over the page's address, or several; `*` stands for anything.
        optional url_matches: UrlPatterns,
        /// Notes for reviewers.
        optional description: Prose,
    }
}
