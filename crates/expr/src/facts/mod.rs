//! What the source of an expression reveals without evaluating it.

mod reads;
mod reference;
mod shape;
mod walk;

pub(crate) use reads::Reads;
pub use reference::{
    InputReference, PathName, PathReference, RootReference, StepReference, VariableReference,
};
pub(crate) use walk::Facts;

#[cfg(test)]
mod tests;
