//! XPath 1.0 expressions, read by the grammar of the recommendation with the place of every fault.
//!
//! What a browser only finds out while evaluating is refused as well: undeclared prefixes, functions of later
//! versions, wrong numbers of arguments, variables, and nodes asked of something that is none.

mod axis;
mod function;
mod grammar;
mod tokens;
mod xpath_error;

#[cfg(test)]
mod tests;

pub use grammar::{Gives, XPath};
pub use xpath_error::XPathError;
