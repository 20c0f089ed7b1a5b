//! The grammar of JSONata, with positions.
//!
//! The engine's parser decides what an expression means, but reports no positions. This parser reads the same language
//! only to know where things stand: the place of a syntax error, and every name, variable and operator for the facts
//! a validator asks for.

mod blame;
mod lexer;
mod locate;
mod operator;
mod parser;
mod syntax_error;
mod token;
mod tree;

pub(crate) use blame::blame;
pub(crate) use locate::locate;
pub(crate) use parser::parse;
pub(crate) use tree::{Kind, Literal, Node, grow};

#[cfg(test)]
mod tests;
