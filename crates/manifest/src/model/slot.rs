//! Values of a map that hold expressions: slots, code, and trees with slots in them.

use actions_expr::{self as expr, CompileError, Expression, Template};
use serde_json::{Value, json};

use crate::document::{Kind, Node, NodeId, Spot};
use crate::finding::Report;
use crate::lower::{Definitions, Located, Lower, is_misplaced_timeout, wrong_type};
use crate::reading::{
    e001_partial_slot, e002_invalid_expression, e003_disallowed_function, w011_condition_not_a_slot,
};

pub use crate::slot::Slot;

/// A condition or collection: a string that is wholly one `{% … %}` slot.
impl Lower for Slot {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let Some(text) = node.as_str() else {
            wrong_type(node, "a string holding one `{% … %}` slot", report);
            return None;
        };
        match expr::Slot::find(text) {
            Ok(Some(found)) => compile(node, found.offset, found.body, report),
            Ok(None) => {
                let key = node.key().unwrap_or("the value");
                report
                    .find(
                        &w011_condition_not_a_slot::RULE,
                        node,
                        format!("`{key}` is plain text, not an expression"),
                    )
                    .help(format!("write `\"{{% {} %}}\"`", text.trim()));
                None
            }
            Err(partial) => {
                partial_slot(node, partial.offset, report);
                None
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        definitions.named("slot", |_| {
            json!({
                "type": "string",
                "description": "A JSONata expression between the marks `{%` and `%}`; nothing else stands in the string.",
                "pattern": "^\\s*\\{%[\\s\\S]*%\\}\\s*$",
            })
        })
    }
}

/// A slot, or words for people.
#[derive(Clone, Debug)]
pub enum SlotOrText {
    /// An expression, which can be evaluated.
    Slot(Slot),
    /// Words, which cannot.
    Text(Located<String>),
}

impl Lower for SlotOrText {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let Some(text) = node.as_str() else {
            wrong_type(node, "a string", report);
            return None;
        };
        match expr::Slot::find(text) {
            Ok(Some(found)) => compile(node, found.offset, found.body, report).map(Self::Slot),
            Ok(None) => Some(Self::Text(Located { at: node.id(), value: text.to_owned() })),
            Err(partial) => {
                partial_slot(node, partial.offset, report);
                None
            }
        }
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": "string" })
    }
}

/// An expression of a projection: a slot, or bare JSONata.
#[derive(Clone, Debug)]
pub struct Code(pub Slot);

impl Lower for Code {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let Some(text) = node.as_str() else {
            wrong_type(node, "a string holding an expression", report);
            return None;
        };
        match expr::Slot::find(text) {
            Ok(Some(found)) => compile(node, found.offset, found.body, report).map(Self),
            Ok(None) => compile(node, 0, text, report).map(Self),
            Err(partial) => {
                partial_slot(node, partial.offset, report);
                None
            }
        }
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": "string", "pattern": "\\S" })
    }
}

/// A JSON tree with slots, ready to be evaluated, and the places of its slots.
#[derive(Clone, Debug)]
pub struct Slotted {
    /// Where the tree stands.
    pub at: NodeId,
    /// The tree, ready to be evaluated.
    pub template: Template,
    /// Its slots in the order of the text.
    pub slots: Vec<Slot>,
}

impl Lower for Slotted {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let mut slots = Vec::new();
        let template = template(node, &mut slots, report);
        template.map(|template| Self { at: node.id(), template, slots })
    }

    fn schema(_: &mut Definitions) -> Value {
        Value::Bool(true)
    }
}

/// An object with slots in it.
#[derive(Clone, Debug)]
pub struct SlottedObject(pub Slotted);

impl Lower for SlottedObject {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        if node.kind() != Kind::Object {
            wrong_type(node, "an object", report);
            return None;
        }
        Slotted::lower(node, report).map(Self)
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": "object" })
    }
}

/// Builds the template of a node; every faulty slot below is reported, not only the first.
fn template(node: Node<'_>, slots: &mut Vec<Slot>, report: &mut Report) -> Option<Template> {
    match node.kind() {
        Kind::Array => {
            let elements: Vec<_> = node.elements().map(|element| template(element, slots, report)).collect();
            Some(Template::from_elements(elements.into_iter().collect::<Option<_>>()?))
        }
        Kind::Object => {
            let is_lenient = report.is_lenient();
            let members: Vec<_> = node
                .members()
                .filter(|(_, value)| !(is_lenient && is_misplaced_timeout(*value)))
                .map(|(key, value)| {
                    if key.contains("{%") || key.contains("%}") {
                        report
                            .find(
                                &e001_partial_slot::RULE,
                                Spot::Key(value),
                                format!("the key `{key}` holds a slot mark"),
                            )
                            .help("keys are never evaluated; build the object in one slot");
                    }
                    template(value, slots, report).map(|value| (key.to_owned(), value))
                })
                .collect();
            Some(Template::from_members(members.into_iter().collect::<Option<_>>()?))
        }
        Kind::String => {
            let text = node.as_str().unwrap_or_default();
            match expr::Slot::find(text) {
                Ok(Some(found)) => {
                    let slot = compile(node, found.offset, found.body, report)?;
                    slots.push(slot.clone());
                    Some(Template::Slot(slot.expression))
                }
                Ok(None) => Some(Template::Literal(Value::String(text.to_owned()))),
                Err(partial) => {
                    partial_slot(node, partial.offset, report);
                    None
                }
            }
        }
        Kind::Null | Kind::Bool | Kind::Number => Some(Template::Literal(node.to_value())),
    }
}

fn partial_slot(node: Node<'_>, offset: usize, report: &mut Report) {
    let text = node.as_str().unwrap_or_default();
    let opens = text.get(offset..).is_some_and(|rest| rest.starts_with("{%"));
    // A string that opens at its very beginning is wrong there only when it never closes.
    let (message, help) = if opens && text[..offset].trim().is_empty() && !text.contains("%}") {
        ("the slot is never closed", "end it with `%}`")
    } else if !opens && !text[..offset].contains("{%") {
        ("a slot closes that was never opened", "begin it with `{%`")
    } else {
        let join = "make the whole string one slot and join inside it: `{% 'text ' & input.x %}`";
        ("the string mixes a slot with other text", join)
    };
    report.find(&e001_partial_slot::RULE, Spot::Within { node, offset, len: 2 }, message).help(help);
}

fn compile(node: Node<'_>, offset: usize, source: &str, report: &mut Report) -> Option<Slot> {
    match Expression::compile(source) {
        Ok(expression) => {
            let slot = Slot { at: node.id(), offset, expression };
            report.keep_slot(slot.clone());
            Some(slot)
        }
        Err(error) => {
            refuse(node, offset, &error, report);
            None
        }
    }
}

fn refuse(node: Node<'_>, offset: usize, error: &CompileError, report: &mut Report) {
    let rule = match error.code() {
        actions_protocol::ErrorCode::DisallowedExpressionFunction => &e003_disallowed_function::RULE,
        _ => &e002_invalid_expression::RULE,
    };
    let spot = Spot::Within { node, offset: offset + error.offset(), len: error.len() };
    report.find(rule, spot, error.to_string()).maybe_help(error.hint().map(str::to_owned));
}
