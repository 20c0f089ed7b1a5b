//! An expression reads inputs the tool declares.
//!
//! When `input_schema` is closed (`"additionalProperties": false`), a call with any other property is refused. An
//! expression that reads one would always find nothing.
//!
//! Breaks the rule:
//! ```json
//! { "input_schema": { "type": "object", "properties": { "query": { "type": "string" } }, "additionalProperties": false },
//!   "workflow": { "steps": [{ "args": { "text": "{% input.qurey %}" } }] } }
//! ```
//!
//! Instead: read `input.query`, or declare the property.

use actions_dictionary::{fields_at, has_path};
use serde_json::Value;

use crate::document::{Node, Spot};
use crate::finding::Report;
use crate::lower::{closest, listed};
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::warning("E005", include_str!("e005_undeclared_input.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let mut schemas = Schemas::default();
    for placed in &subject.view.slots {
        let Some(node) = placed.input_schema else { continue };
        let schema = schemas.at(node);
        for path in placed.slot.expression.paths() {
            let Some((root, names)) = path.names.split_first().filter(|(root, _)| root.text == "input")
            else {
                continue;
            };
            let texts: Vec<_> = names.iter().map(|name| name.text.as_str()).collect();
            let Some(wrong) = first_unknown(schema, &texts) else { continue };
            let spot = placed.slot.spot(subject.document, names[wrong].place.offset, names[wrong].place.len);
            let owner = std::iter::once(root.text.as_str()).chain(texts[..wrong].iter().copied());
            tell(spot, &owner.collect::<Vec<_>>().join("."), texts[wrong], schema, &texts[..wrong], report);
        }
    }
}

/// The schemas already turned into plain JSON; the slots of one tool come one after the other.
#[derive(Default)]
struct Schemas<'d> {
    last: Option<(Node<'d>, Value)>,
}

impl<'d> Schemas<'d> {
    fn at(&mut self, node: Node<'d>) -> &Value {
        if self.last.as_ref().is_none_or(|(last, _)| last.id() != node.id()) {
            self.last = Some((node, node.to_value()));
        }
        self.last.as_ref().map_or(&Value::Null, |(_, schema)| schema)
    }
}

/// The place of the first name of the path that the schema rules out.
fn first_unknown(schema: &Value, path: &[&str]) -> Option<usize> {
    (0..path.len()).find(|end| has_path(schema, &path[..=*end]) == Some(false))
}

fn tell(spot: Spot<'_>, owner: &str, name: &str, schema: &Value, path: &[&str], report: &mut Report) {
    let known = fields_at(schema, path);
    let help = match closest(name, &known) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "declare it in `input_schema`".to_owned(),
        None => format!("declared are {}", listed(&known)),
    };
    report.find(&RULE, spot, format!("`input_schema` does not let `{owner}` have `{name}`")).help(help);
}
