//! Arguments fit the primitive.
//!
//! Every primitive says what it takes. What is written out is checked before anything runs; a slot counts as a value
//! that is not known yet. The locator of a `settle_after` or of a projection's `ready` is checked like that of `locator.wait_for`, and the fixed
//! arguments of a handler as far as they go, since the caller adds the rest. The lenient profile ignores a `timeout_ms`
//! within a locator, because published maps put it there.
//!
//! Breaks the rule:
//! ```json
//! { "primitive": "locator.wait_for", "args": { "locator": { "selector": "#done" }, "state": "gone" } }
//! ```
//!
//! Instead:
//! ```json
//! { "primitive": "locator.wait_for", "args": { "locator": { "selector": "#done" }, "state": "detached" } }
//! ```

use actions_dictionary::{Dictionary, Primitive, SchemaError};
use serde_json::{Value, json};

use crate::document::{Kind, Node, Spot};
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::{UsedAs, holes, identifies, is_locator, is_misplaced_timeout, label};

pub(super) static RULE: Rule = Rule::error("W004", include_str!("w004_arguments_do_not_fit.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for used in &subject.view.primitives {
        let Some(primitive) = used.primitive() else { continue };
        if used.args.is_some_and(|args| args.kind() != Kind::Object) {
            continue;
        }
        let value = used.args.map_or_else(|| json!({}), Node::to_value);
        let place = used.args.map_or(Spot::Value(used.at), Spot::Key);
        let mut errors = errors(primitive, &value, used.args, "");
        match used.used_as {
            UsedAs::Step | UsedAs::AfterEach | UsedAs::RecipeStep => {}
            // The caller's own arguments come on top.
            UsedAs::Handler => errors.retain(|error| !error.pointer.is_empty()),
            UsedAs::Opens => continue,
        }
        for error in errors {
            tell(&error, used.args.and_then(|args| args.at(&error.pointer)), place, &primitive.name, report);
        }
    }
    let settles = subject.view.steps().filter_map(|step| step.settle_after?.get("locator"));
    let ready = subject.view.projections.iter().filter_map(|projection| projection.ready?.get("locator"));
    for locator in settles.chain(ready) {
        let Some(wait_for) = Dictionary::builtin().get("locator.wait_for") else { continue };
        let value = json!({ "locator": locator.to_value() });
        for error in errors(wait_for, &value, Some(locator), "/locator") {
            let below = error.pointer.strip_prefix("/locator").unwrap_or_default();
            tell(&error, locator.at(below), Spot::Value(locator), "locator.wait_for", report);
        }
    }
}

/// What does not fit, whatever the slots below `node` will give; `prefix` is the pointer of `node` in the value.
fn errors(primitive: &Primitive, value: &Value, node: Option<Node<'_>>, prefix: &str) -> Vec<SchemaError> {
    let holes = node.map(|node| holes(node, prefix)).unwrap_or_default();
    primitive.validate_args_with_holes(value, &|pointer| holes.contains(pointer))
}

fn tell(error: &SchemaError, at: Option<Node<'_>>, place: Spot<'_>, primitive: &str, report: &mut Report) {
    // A locator that says nothing is the matter of another rule.
    if error.keyword == "anyOf" && at.is_some_and(|at| is_locator(at) && !identifies(at)) {
        return;
    }
    let spot = match at {
        Some(at) if error.pointer.is_empty() && at.kind() == Kind::Object => place,
        Some(at) if error.keyword == "additionalProperties" => Spot::Key(at),
        Some(at) => Spot::Value(at),
        None => place,
    };
    if at.is_some_and(is_misplaced_timeout) {
        report
            .find(&RULE, spot, "a locator has no `timeout_ms`; it is ignored there")
            .help("write it beside the locator")
            .tolerated();
        return;
    }
    let subject = if error.pointer.is_empty() { primitive.to_owned() } else { label(&error.pointer) };
    report
        .find(&RULE, spot, format!("`{subject}` {}", error.message))
        .help(format!("`actions primitives {primitive}` shows what it takes"));
}
