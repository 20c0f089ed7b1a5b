//! Values without parts: strings, booleans, bounded numbers, free JSON.

use std::ops::Deref;

use actions_protocol::limits;
use serde_json::{Value, json};

use super::{Definitions, Lower, wrong_type};
use crate::document::{Kind, Node, NodeId};
use crate::finding::Report;
use crate::reading::{s005_out_of_bounds, s006_empty_text};

/// A value together with the place it was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// Where it stands in its document.
    pub at: NodeId,
    /// The value.
    pub value: T,
}

impl<T> Deref for Located<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Lower> Lower for Located<T> {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        T::lower(node, report).map(|value| Self { at: node.id(), value })
    }

    fn schema(definitions: &mut Definitions) -> Value {
        T::schema(definitions)
    }
}

impl<T: Lower> Lower for Box<T> {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        T::lower(node, report).map(Self::new)
    }

    fn schema(definitions: &mut Definitions) -> Value {
        T::schema(definitions)
    }
}

impl Lower for String {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let text = node.as_str();
        if text.is_none() {
            wrong_type(node, "a string", report);
        }
        text.map(str::to_owned)
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": "string" })
    }
}

/// Text for people; never blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prose(pub String);

impl Deref for Prose {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Lower for Prose {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let text = String::lower(node, report)?;
        if text.chars().all(is_white_space) {
            let what = node.key().unwrap_or("text");
            report.find(&s006_empty_text::RULE, node, format!("`{what}` is empty"));
            return None;
        }
        Some(Self(text))
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": "string", "pattern": "\\S" })
    }
}

/// White space as JSON Schema's patterns know it, which is JavaScript's.
fn is_white_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

impl Lower for bool {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        let value = node.as_bool();
        if value.is_none() {
            wrong_type(node, "a boolean", report);
        }
        value
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": "boolean" })
    }
}

/// Any JSON value.
impl Lower for Value {
    fn lower(node: Node<'_>, _: &mut Report) -> Option<Self> {
        Some(node.to_value())
    }

    fn schema(_: &mut Definitions) -> Value {
        Value::Bool(true)
    }
}

/// Any JSON object.
impl Lower for serde_json::Map<String, Value> {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        if node.kind() != Kind::Object {
            wrong_type(node, "an object", report);
            return None;
        }
        match node.to_value() {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({ "type": "object" })
    }
}

/// Whole numbers from `MIN` to `MAX`.
pub(crate) trait Bounds {
    const MIN: u64;
    const MAX: u64;
    const UNIT: &'static str;
}

/// Reads a whole number within its bounds.
pub(crate) fn bounded<B: Bounds>(node: Node<'_>, report: &mut Report) -> Option<u64> {
    let Some(number) = node.as_number() else {
        wrong_type(node, "a number", report);
        return None;
    };
    let whole = number
        .as_u64()
        .or_else(|| number.as_f64().filter(|n| n.fract() == 0.0 && *n >= 0.0).map(|n| n as u64));
    if let Some(value) = whole.filter(|value| (B::MIN..=B::MAX).contains(value)) {
        return Some(value);
    }
    let what = node.key().unwrap_or("the number");
    report.find(&s005_out_of_bounds::RULE, node, format!("`{what}` is {number}")).help(format!(
        "a whole number from {} to {}{}",
        B::MIN,
        B::MAX,
        B::UNIT
    ));
    None
}

macro_rules! bounded_number {
    ($($(#[doc = $doc:literal])+ $name:ident $min:literal ..= $max:expr, $unit:literal;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name(pub u64);

        impl Bounds for $name {
            const MIN: u64 = $min;
            const MAX: u64 = $max;
            const UNIT: &'static str = $unit;
        }

        impl Lower for $name {
            fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
                bounded::<Self>(node, report).map(Self)
            }

            fn schema(_: &mut Definitions) -> Value {
                json!({ "type": "integer", "minimum": Self::MIN, "maximum": Self::MAX })
            }
        }
    )+};
}

bounded_number! {
    /// A time a step may wait.
    WaitMillis 0 ..= limits::WAIT.0, " milliseconds";
    /// A pause of at least one millisecond.
    DelayMillis 1 ..= limits::WAIT.0, " milliseconds";
    /// How many items of a collection a step goes through.
    ItemLimit 1 ..= limits::ITEMS as u64, " items";
    /// How often a step is tried.
    AttemptLimit 1 ..= limits::ATTEMPTS as u64, " attempts";
    /// A budget for compact JSON.
    ByteBudget 1 ..= limits::BYTE_BUDGET.0 as u64, " bytes";
    /// How many calls a limit allows.
    CallCount 1 ..= 1_000_000, " calls";
    /// The time that a limit is about, at most 31 days.
    PeriodMillis 1 ..= 2_678_400_000, " milliseconds";
    /// A count of elements or instances.
    Count 0 ..= limits::COUNT, "";
}
