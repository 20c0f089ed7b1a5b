//! The names a map can refer to.

use std::collections::BTreeSet;

use crate::compose::ExposedKind;
use crate::document::{Kind, Node};
use crate::finding::Report;
use crate::lower::closest;
use crate::rule::Rule;
use crate::view::Subject;

/// Where the names of a kind stand in a document: the section and the key of the name.
fn section(kind: ExposedKind) -> (&'static str, &'static str) {
    match kind {
        ExposedKind::Tool => ("tools", "name"),
        ExposedKind::State => ("states", "name"),
        ExposedKind::Transition => ("transitions", "name"),
        ExposedKind::Context => ("context", "id"),
        ExposedKind::Projection => ("state_projections", "name"),
        ExposedKind::Signal => ("signals", "name"),
        ExposedKind::Attachment => ("attachments", "id"),
        ExposedKind::Check => ("checks", "id"),
    }
}

/// Every name of a kind that a map declares or imports.
///
/// Names are taken from the text rather than from the model: what could not be read for another reason is declared
/// all the same, and one mistake does not cause others.
pub(crate) fn declared(subject: &Subject<'_>, kind: ExposedKind) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = declared_in(subject.document.root(), kind).map(str::to_owned).collect();
    let own = subject.part.namespace().map(|namespace| format!("{namespace}."));
    for part in subject.composition.parts().iter().filter(|part| part.is_imported()) {
        if std::ptr::eq(part, subject.part) {
            continue;
        }
        let namespace = part.namespace().map(|namespace| format!("{namespace}.")).unwrap_or_default();
        for name in declared_in(part.document().root(), kind) {
            let exposed = format!("{namespace}{name}");
            let seen = own.as_ref().map_or(Some(exposed.as_str()), |own| exposed.strip_prefix(own.as_str()));
            names.extend(seen.map(str::to_owned));
        }
    }
    names
}

fn declared_in(root: Node<'_>, kind: ExposedKind) -> impl Iterator<Item = &str> {
    let (section, key) = section(kind);
    let section = root.get(section);
    // Older maps write states as an object; the lenient profile passes over it, but its names are there.
    let legacy = section.filter(|section| section.kind() == Kind::Object).into_iter().flat_map(Node::members);
    section
        .into_iter()
        .flat_map(Node::elements)
        .filter_map(move |element| element.get(key).and_then(Node::as_str))
        .chain(legacy.map(|(name, _)| name))
}

/// Reports a reference to a name that is not declared.
pub(crate) fn unknown(
    rule: &'static Rule,
    kind: &str,
    name: &str,
    names: &BTreeSet<String>,
    at: Node<'_>,
    report: &mut Report,
) {
    if may_be_imported(name, names, at) {
        return;
    }
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    let help = match closest(name, &known) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => format!("the map declares no {kind}"),
        None if known.len() <= 8 => format!("declared: {}", crate::lower::listed(&known)),
        None => format!("declare a {kind} of this name, or correct the reference"),
    };
    report.find(rule, at, format!("there is no {kind} `{name}`")).help(help);
}

/// Whether the name is in the namespace of an import that was not loaded, so that nothing can be said about it.
fn may_be_imported(name: &str, names: &BTreeSet<String>, at: Node<'_>) -> bool {
    let root = std::iter::successors(Some(at), |node| node.parent()).last();
    let imports = root.and_then(|root| root.get("imports")).into_iter().flat_map(Node::elements);
    let enabled = imports.filter(|import| import.get("enabled").and_then(Node::as_bool) != Some(false));
    enabled.filter_map(|import| import.get("namespace")?.as_str()).any(|namespace| {
        let is_in = |name: &str| name.strip_prefix(namespace).is_some_and(|rest| rest.starts_with('.'));
        is_in(name) && !names.iter().any(|known| is_in(known))
    })
}

#[cfg(test)]
mod tests {
    use crate::{Options, validate};

    fn codes(imports: &str, tool: &str) -> Vec<&'static str> {
        let map = format!(
            r#"{{
                "protocol": "actions.json", "version": 1, "tools": [], "imports": [{imports}],
                "context": [{{ "id": "here", "body": "Begin here.", "available_tools": ["{tool}"] }}]
            }}"#
        );
        let validation = validate("map.json", map.as_bytes(), &Options::default());
        validation.findings.iter().map(|finding| finding.rule.code).collect()
    }

    #[test]
    fn a_name_of_an_import_that_was_not_loaded_is_not_called_unknown() {
        let import = r#"{ "id": "shared", "uri": "shared.json", "namespace": "shared" }"#;
        assert_eq!(codes(import, "shared.search"), [""; 0]);
        assert_eq!(codes(import, "sharedsearch"), ["R002"]);
        assert_eq!(codes(import, "other.search"), ["R002"]);
        assert_eq!(codes(&import.replace('}', r#", "enabled": false }"#), "shared.search"), ["R002"]);
    }
}
