//! Slots of maps: find `{% … %}`, compile the JSONata in it, forbid what maps may not use, and evaluate within a budget.
//!
//! # From text to value
//!
//! [`Slot::find`] finds the expression of a slot. [`Expression::compile`] checks the expression once: its
//! syntax, its regular expressions and the functions it refers to ([`FORBIDDEN_FUNCTIONS`]). What of its scope it reads
//! is known from then on ([`Expression::step_references`] and its neighbours). [`Expression::evaluate`] gives a
//! [`Value`] or an [`EvaluateError`] within a [`Budget`], from any thread. A [`Template`] is a JSON tree with slots.
//!
//! ```
//! use actions_expr::{Budget, Expression, Slot};
//! use serde_json::json;
//!
//! let slot = Slot::find("{% steps.find.output.match_count = 1 %}").unwrap().unwrap();
//! let condition = Expression::compile(slot.body).unwrap();
//! assert_eq!(condition.step_references()[0].id, "find");
//!
//! let scope = json!({"input": {}, "steps": {"find": {"ok": true, "output": {"match_count": 1}}}});
//! assert!(condition.evaluate(&scope, &Budget::default()).unwrap().is_truthy());
//! ```
//!
//! # What an expression sees and gives
//!
//! The scope is the root context, and `$$` is the scope. Undefined and null differ throughout. A result is what
//! JSON.stringify would write: functions and regular expressions are left out, infinities are null.
//!
//! # How it differs from jsonata.js
//!
//! Hundreds of expressions with the results of jsonata.js are a test of this crate, and so is the list of those where
//! we differ, with the reason for each. In short:
//!
//! - Forbidden functions, `$toMillis` with a picture that lets the clock fill in the date, and patterns that look around
//!   or refer back are refused by [`Expression::compile`]. So are names that hold quotes or odd white space, and calls
//!   of literals, which jsonata.js fails on later.
//! - The remaining differences of regular expressions: with the flag `i` the case of a few letters outside ASCII is
//!   folded as in Unicode; a group inside a repetition keeps what it matched in an earlier round; `\B` looks at letters
//!   of all languages.
//! - A function keeps the variables as they were when it was made. Object keys that look like numbers stay where they
//!   were written. `$base64encode` refuses what is not Latin-1, as browsers do.
//! - A budget that runs out is an error of its own ([`EvaluateError::code`]), not one of JSONata's.
//!
//! # What bounds an evaluation
//!
//! The engine looks at time, depth and the length of sequences between the nodes of an expression. What it does not
//! interrupt is bounded by [`Budget::max_memory`]: where an expression could build a value from itself again and again,
//! texts, ranges and repeated items are paid for before they are built. Regular expressions take time in proportion to
//! the text. Sources deeper than some hundred levels are not compiled, and results deeper than 256 are refused.

mod budget;
mod builtin;
mod compile_error;
mod engine;
mod evaluate_error;
mod expression;
mod facts;
mod forbidden;
mod pattern;
mod place;
mod slot;
mod syntax;
mod template;
mod value;

pub use budget::Budget;
pub use compile_error::CompileError;
pub use evaluate_error::EvaluateError;
pub use expression::Expression;
pub use facts::{InputReference, PathName, PathReference, RootReference, StepReference, VariableReference};
pub use forbidden::FORBIDDEN_FUNCTIONS;
pub use place::Place;
pub use slot::{PartialSlot, Slot};
pub use template::{SlotFault, Template, TemplateError, TemplateEvaluateError};
pub use value::Value;
