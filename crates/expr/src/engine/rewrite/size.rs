//! How large a value can be, judged by its expression.

use super::Rewriter;
use super::path::field_name;
use crate::syntax::{Kind, Node};

/// The functions of JSONata whose value is a number, a truth value or a short text.
#[rustfmt::skip]
const SMALL_FUNCTIONS: &[&str] = &[
    "abs", "average", "boolean", "ceil", "contains", "count", "exists", "floor", "formatBase", "formatNumber",
    "fromMillis", "length", "max", "min", "not", "number", "parseInteger", "power", "round", "sqrt", "sum", "toMillis",
    "type",
];

/// The functions of JSONata whose value is a text of any length.
#[rustfmt::skip]
const TEXT_FUNCTIONS: &[&str] = &[
    "base64decode", "base64encode", "decodeUrl", "decodeUrlComponent", "encodeUrl", "encodeUrlComponent",
    "formatInteger", "join", "lowercase", "pad", "replace", "string", "substring", "substringAfter",
    "substringBefore", "trim", "uppercase",
];

impl Rewriter<'_> {
    /// Tells whether a value is no array and no object.
    pub(super) fn is_scalar(&self, node: &Node) -> bool {
        match &node.kind {
            Kind::Literal(_)
            | Kind::Regex { .. }
            | Kind::Placeholder
            | Kind::Negate(_)
            | Kind::Lambda { .. } => true,
            Kind::Binary { operator, .. } => *operator != "~>",
            _ => self.is_call_of(node, SMALL_FUNCTIONS) || self.is_call_of(node, TEXT_FUNCTIONS),
        }
    }

    /// Tells whether a value is no larger than what the scope or the source already hold, as a text.
    pub(super) fn is_small(&self, node: &Node, at_root: bool) -> bool {
        match &node.kind {
            Kind::Name(_) => at_root,
            Kind::Path(left, right) => field_name(right).is_some() && self.is_small(left, at_root),
            Kind::Variable(name) => name == "$",
            // Its own operands have been paid for.
            Kind::Binary { operator, .. } => *operator != "~>",
            _ => self.is_scalar(node) && !self.is_call_of(node, TEXT_FUNCTIONS),
        }
    }

    /// Tells whether a step of a path may give any number of items for each item before it: it goes back to the root or
    /// to a variable, or computes something. What it takes from the item itself is limited by the item.
    pub(super) fn starts_over(&self, step: &Node) -> bool {
        match &step.kind {
            Kind::Variable(name) => !name.is_empty(),
            // An array that is written out pays for its ranges, and stays an array only where it stands.
            Kind::Block(expressions) => expressions.last().is_some_and(|last| self.may_be_long(last)),
            Kind::Call { .. } => !self.is_scalar(step),
            _ => false,
        }
    }

    fn may_be_long(&self, value: &Node) -> bool {
        match &value.kind {
            Kind::Path(left, right) => self.may_be_long(left) || self.starts_over(right),
            Kind::Filter(left, _) | Kind::KeepArray(left) | Kind::Sort(left, _) => self.may_be_long(left),
            Kind::Condition(_, then, otherwise) => {
                self.may_be_long(then)
                    || otherwise.as_deref().is_some_and(|otherwise| self.may_be_long(otherwise))
            }
            Kind::Default(left, right) | Kind::Coalesce(left, right) => {
                self.may_be_long(left) || self.may_be_long(right)
            }
            Kind::Binary { operator, .. } => *operator == "~>",
            _ => self.starts_over(value),
        }
    }

    fn is_call_of(&self, node: &Node, functions: &[&str]) -> bool {
        let Kind::Call { callee, .. } = &node.kind else {
            return false;
        };
        let Kind::Variable(name) = &callee.kind else {
            return false;
        };
        functions.contains(&name.as_str()) && !self.traits.is_bound(name)
    }
}
