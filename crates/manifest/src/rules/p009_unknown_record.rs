//! An expression reads records that are extracted.
//!
//! `records` has one member for each extractor, named by its `id`, and each record the fields the extractor declares.
//! Anything else is nothing, and the state would silently miss it.
//!
//! Breaks the rule:
//! ```json
//! { "extract": [{ "id": "lists", "selector": "[data-list]", "fields": { "name": { "selector": "h2" } } }],
//!   "projection": { "language": "jsonata", "expression": "{% {'names': records.lists.nam} %}" } }
//! ```
//!
//! Instead: `records.lists.name`.

use actions_expr::PathName;

use crate::document::Node;
use crate::finding::Report;
use crate::lower::{closest, listed};
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::{Projection, Scope, of_the_root};

pub(super) static RULE: Rule = Rule::warning("P009", include_str!("p009_unknown_record.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for placed in &subject.view.slots {
        let (Scope::Projection { projection }
        | Scope::Markers { projection }
        | Scope::Summary { projection, .. }) = placed.scope
        else {
            continue;
        };
        let projection = &subject.view.projections[projection];
        for path in placed.slot.expression.paths() {
            let [root, names @ ..] = path.names.as_slice() else { continue };
            let Some(fault) = unknown(projection, names).filter(|_| root.text == "records") else { continue };
            let spot = placed.slot.spot(subject.document, fault.name.place.offset, fault.name.place.len);
            let help = of_the_root(&fault.name.text, placed.scope).unwrap_or(fault.help);
            report.find(&RULE, spot, fault.message).help(help);
        }
    }
}

/// A name that leads nowhere.
struct Fault<'n> {
    name: &'n PathName,
    message: String,
    help: String,
}

/// Follows the names from `records` down, as far as the extractors declare them.
fn unknown<'n>(projection: &Projection<'_>, names: &'n [PathName]) -> Option<Fault<'n>> {
    let (id, fields) = names.split_first()?;
    let ids =
        projection.extract.iter().map(|extract| extract.get("id").and_then(Node::as_str).unwrap_or_default());
    let ids: Vec<_> = ids.collect();
    let Some(extract) = ids.iter().position(|known| *known == id.text) else {
        let help = match closest(&id.text, &ids) {
            Some(near) => format!("did you mean `{near}`?"),
            None if ids.is_empty() => "the snapshot extracts nothing".to_owned(),
            None => format!("extracted are {}", listed(&ids)),
        };
        return Some(Fault { name: id, message: format!("no extractor has the id `{}`", id.text), help });
    };
    let mut owner = projection.extract[extract];
    let mut path = format!("records.{}", id.text);
    for name in fields {
        let Some(members) = owner.get("fields") else {
            // Without fields an extractor gives text; what a field gives may be a box or a default of any shape.
            return (owner.id() == projection.extract[extract].id()).then(|| Fault {
                name,
                message: format!("`{path}` is text: it has no `{}`", name.text),
                help: format!("declare `\"fields\"` in the extractor `{}`", id.text),
            });
        };
        let Some(field) = members.get(&name.text) else {
            let known: Vec<_> = members.members().map(|(key, _)| key).collect();
            let help = match closest(&name.text, &known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("declared are {}", listed(&known)),
            };
            return Some(Fault { name, message: format!("`{path}` has no field `{}`", name.text), help });
        };
        owner = field;
        path = format!("{path}.{}", name.text);
    }
    None
}
