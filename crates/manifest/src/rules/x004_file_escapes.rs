//! Files of a map are inside its folder.
//!
//! `source.files` and `files[].path` are relative paths that do not climb out with `..`. A map must not name files of
//! the machine it happens to be on.
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

use crate::finding::Report;
use crate::model::{Located, SourceHints};
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("X004", include_str!("x004_file_escapes.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for path in paths(subject) {
        let Some(fault) = fault(path) else { continue };
        report
            .find(&RULE, subject.document.node(path.at), format!("`{}` {fault}", path.as_str()))
            .help("give a path relative to the map, inside its folder");
    }
}

fn paths<'s>(subject: &'s Subject<'_>) -> impl Iterator<Item = &'s Located<String>> {
    let manifest = subject.manifest;
    let tools = manifest.tools.iter().filter_map(|tool| tool.x_actions.as_ref());
    let hints: Vec<Option<&SourceHints>> = tools
        .clone()
        .map(|x| x.source.as_ref())
        .chain(manifest.context.iter().map(|context| context.source.as_ref()))
        .chain(manifest.signals.iter().map(|signal| signal.source.as_ref()))
        .collect();
    let declared = tools.flat_map(|x| &x.files).chain(manifest.x_actions.iter().flat_map(|x| &x.files));
    hints.into_iter().flatten().flat_map(|hints| &hints.files).chain(declared.map(|file| &file.path))
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
