//! Files of a map are inside its folder.
//!
//! `source.files` and `files[].path` are relative paths that do not climb out with `..`, in tools, context, signals and
//! `provenance` alike. A map must not name files of the machine it happens to be on.
//!
//! Breaks the rule:
//! ```json
//! { "source": { "files": ["/etc/passwd", "../../secrets.json"] } }
//! ```
//!
//! Instead:
//! ```json
//! { "source": { "files": ["overlays/categories.html"] } }
//! ```

use crate::document::{Document, Node};
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("X004", include_str!("x004_file_escapes.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for (at, path) in paths(subject.document).filter_map(|at| Some((at, at.as_str()?))) {
        let Some(fault) = fault(path) else { continue };
        report
            .find(&RULE, at, format!("`{path}` {fault}"))
            .help("give a path relative to the map, inside its folder");
    }
}

/// Every path of a file that the map, or an element of one of its sections, names.
fn paths(document: &Document) -> impl Iterator<Item = Node<'_>> {
    let elements = document.root().members().flat_map(|(_, section)| section.elements());
    let owners = std::iter::once(document.root()).chain(elements);
    owners.flat_map(|owner| {
        let hints = [Some(owner), owner.get("x_actions"), owner.get("provenance")].into_iter().flatten();
        let sources = hints.filter_map(|hints| hints.get("source")?.get("files")).flat_map(Node::elements);
        let declared = owner.get("x_actions").and_then(|x_actions| x_actions.get("files"));
        let declared = declared.into_iter().flat_map(Node::elements).filter_map(|file| file.get("path"));
        sources.chain(declared)
    })
}

fn fault(path: &str) -> Option<&'static str> {
    let windows = path.as_bytes().get(1) == Some(&b':') && path.as_bytes()[0].is_ascii_alphabetic();
    if path.starts_with(['/', '\\', '~']) || windows {
        return Some("is an absolute path");
    }
    if path.contains("://") {
        return Some("is an address, not a file of the map");
    }
    let depth = path.split(['/', '\\']).try_fold(0_i32, |depth, part| match part {
        "" | "." => Some(depth),
        ".." => (depth > 0).then_some(depth - 1),
        _ => Some(depth + 1),
    });
    depth.is_none().then_some("climbs out of the map's folder")
}
