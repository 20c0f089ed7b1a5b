//! Slots of maps: find `{% … %}`, compile the JSONata in it, forbid what maps may not use, and evaluate within a budget.

mod budget;
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
pub use facts::{InputReference, PathName, PathReference, RootReference, StepReference};
pub use forbidden::FORBIDDEN_FUNCTIONS;
pub use place::Place;
pub use slot::{PartialSlot, Slot};
pub use template::{SlotFault, Template, TemplateError, TemplateEvaluateError};
pub use value::Value;
