//! Every literal CSS selector and XPath of a map.

use super::{PrimitiveUse, Projection, Step, Target, UsedAs, literal};
use crate::document::{Kind, Node};

/// A literal selector of the map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selector<'d> {
    pub(crate) node: Node<'d>,
    pub(crate) text: &'d str,
    pub(crate) language: Language,
}

/// The language of a selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Css,
    XPath,
}

/// The keys that hold CSS: one selector, or several.
const CSS: &[&str] = &[
    "selector",
    "selectors",
    "fallback_selectors",
    "item_selector",
    "heading_selector",
    "root_selector",
    "closest",
    "frame",
];

/// The keys that hold data of any shape, in which nothing is a selector.
const DATA: &[&str] = &["arguments", "data", "default", "metadata", "notes", "source", "value"];

/// Every literal selector of a map.
pub(super) fn find<'d>(
    targets: &[Target<'d>],
    projections: &[Projection<'d>],
    primitives: &[PrimitiveUse<'d>],
    steps: impl Iterator<Item = Step<'d>>,
) -> Vec<Selector<'d>> {
    let mut found = Vec::new();
    targets.iter().for_each(|target| below(target.node, &mut found));
    projections
        .iter()
        .flat_map(|projection| &projection.extract)
        .for_each(|extract| below(*extract, &mut found));
    for locator in projections.iter().filter_map(|projection| projection.ready?.get("locator")) {
        below(locator, &mut found);
    }
    for used in primitives.iter().filter(|used| used.used_as != UsedAs::Opens && used.primitive().is_some()) {
        let Some(args) = used.args else { continue };
        below(args, &mut found);
        // Where text goes may be given as a selector alone.
        found.extend(args.get("target").and_then(|target| selector(target, Language::Css)));
    }
    for locator in steps.filter_map(|step| step.settle_after?.get("locator")) {
        below(locator, &mut found);
    }
    found
}

fn below<'d>(node: Node<'d>, found: &mut Vec<Selector<'d>>) {
    for (key, value) in node.members() {
        if CSS.contains(&key) {
            found.extend(selector(value, Language::Css));
            found.extend(value.elements().filter_map(|one| selector(one, Language::Css)));
        }
        if key == "xpath" {
            found.extend(selector(value, Language::XPath));
        }
        if !DATA.contains(&key) {
            below(value, found);
        }
    }
    node.elements()
        .filter(|element| element.kind() == Kind::Object)
        .for_each(|element| below(element, found));
}

fn selector(node: Node<'_>, language: Language) -> Option<Selector<'_>> {
    literal(node).map(|text| Selector { node, text, language })
}
