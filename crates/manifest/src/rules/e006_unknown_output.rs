//! An expression reads what a step gives.
//!
//! `steps.<id>` has `ok`, `output`, `error` and `skipped`; after `retry_until` also `attempts`, and after `for_each`
//! `items` in place of `output`. `output` is the value of the primitive itself, with no envelope around it: what some
//! runtimes give as `output.value.x` is `output.x`. A field that is not there is simply nothing.
//!
//! Breaks the rule:
//! ```json
//! { "when": "{% steps.find.output.value.clickable %}" }
//! ```
//!
//! Instead:
//! ```json
//! { "when": "{% steps.find.output.clickable %}" }
//! ```

use actions_dictionary::{ANNOUNCEMENTS, ANSWERED_DIALOGS, Dictionary, Primitive, fields_at};
use actions_expr::PathName;

use crate::document::Node;
use crate::finding::Report;
use crate::lower::{closest, listed};
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::{Scope, Step, of_the_root};

pub(super) static RULE: Rule = Rule::warning("E006", include_str!("e006_unknown_output.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for placed in &subject.view.slots {
        let Scope::Workflow { workflow, .. } = placed.scope else { continue };
        let workflow = &subject.view.workflows[workflow];
        for path in placed.slot.expression.paths() {
            let [root, id, fields @ ..] = path.names.as_slice() else { continue };
            let Some(step) = workflow.position(&id.text).filter(|_| root.text == "steps") else { continue };
            let Some(fault) = Fault::of(&workflow.steps[step], &id.text, fields) else { continue };
            let spot = placed.slot.spot(subject.document, fault.name.place.offset, fault.name.place.len);
            let help = of_the_root(&fault.name.text, placed.scope).unwrap_or(fault.help);
            report.find(&RULE, spot, fault.message).help(help);
        }
    }
}

/// A field that is not there.
struct Fault<'n> {
    name: &'n PathName,
    message: String,
    help: String,
}

impl<'n> Fault<'n> {
    /// What is wrong with reading these fields of a step's result.
    fn of(step: &Step<'_>, id: &str, fields: &'n [PathName]) -> Option<Self> {
        let primitive = step.node.get("primitive").and_then(Node::as_str);
        let primitive = primitive.and_then(|name| Dictionary::builtin().get(name));
        let (first, below) = fields.split_first()?;
        match first.text.as_str() {
            "items" if step.for_each.is_some() => {
                let (first, below) = below.split_first()?;
                Self::of_result(
                    &["ok", "output", "error", "skipped"],
                    primitive,
                    &format!("steps.{id}.items"),
                    first,
                    below,
                )
            }
            "output" if step.for_each.is_some() => Some(Self {
                name: first,
                message: format!("`{id}` goes through a collection: it has no `output` of its own"),
                help: format!("read the outputs of all items: `steps.{id}.items.output`"),
            }),
            _ => {
                let known: &[&str] = match (step.for_each, step.retry_until) {
                    (Some(_), _) => &["ok", "items", "error", "skipped"],
                    (None, Some(_)) => &["ok", "output", "error", "skipped", "attempts"],
                    (None, None) => &["ok", "output", "error", "skipped"],
                };
                Self::of_result(known, primitive, &format!("steps.{id}"), first, below)
            }
        }
    }

    fn of_result(
        known: &[&str],
        primitive: Option<&Primitive>,
        owner: &str,
        first: &'n PathName,
        below: &'n [PathName],
    ) -> Option<Self> {
        if first.text == "output" {
            return Self::of_output(primitive?, owner, below);
        }
        if known.contains(&first.text.as_str()) {
            return None;
        }
        let help = match closest(&first.text, known) {
            _ if primitive
                .is_some_and(|primitive| primitive.output_has_path(&[&first.text]) == Some(true)) =>
            {
                format!("did you mean `{owner}.output.{}`?", first.text)
            }
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it has {}", listed(known)),
        };
        Some(Self { name: first, message: format!("`{owner}` has no `{}`", first.text), help })
    }

    fn of_output(primitive: &Primitive, owner: &str, fields: &'n [PathName]) -> Option<Self> {
        let names: Vec<&str> = fields.iter().map(|field| field.text.as_str()).collect();
        if names.first().is_some_and(|name| [ANNOUNCEMENTS, ANSWERED_DIALOGS].contains(name)) {
            return None;
        }
        let wrong = (0..names.len()).find(|end| primitive.output_has_path(&names[..=*end]) == Some(false))?;
        let known = fields_at(primitive.output_schema(), &names[..wrong]);
        let help = match closest(names[wrong], &known) {
            _ if is_enveloped(primitive, &names) => {
                format!("an output has no envelope: write `{owner}.output.{}`", names[1..].join("."))
            }
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => {
                format!("`actions primitives {}` shows what it gives", primitive.name)
            }
            None => format!("it has {}", listed(&known)),
        };
        let whole = match wrong {
            0 => format!("the output of `{}`", primitive.name),
            _ => format!("`{}` of the output of `{}`", names[..wrong].join("."), primitive.name),
        };
        Some(Self { name: &fields[wrong], message: format!("{whole} has no `{}`", names[wrong]), help })
    }
}

/// Whether the path is right but for a `value` in front.
fn is_enveloped(primitive: &Primitive, names: &[&str]) -> bool {
    match names.split_first() {
        Some((&"value", rest)) if !rest.is_empty() => primitive.output_has_path(rest) == Some(true),
        _ => false,
    }
}
