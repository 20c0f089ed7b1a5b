//! Compares our JSONata evaluation with jsonata.js on random typed expressions and scopes.
//!
//! [`Grammar`] makes an expression tree, [`random_scope`] a scope for it, a [`Peer`] evaluates it in a process of its own,
//! [`compare`] judges the two answers, and [`shrink`] makes a difference small enough to read. [`KNOWN`] lists the differences
//! that stay. [`Stored`] keeps answers of jsonata.js, so that a test can compare without it.

mod answer;
mod compare;
mod grammar;
mod known;
mod peer;
mod scope;
mod shrink;
mod stored;
mod templates;
mod tree;

pub use answer::Answer;
pub use compare::{Judgement, compare};
pub use grammar::Grammar;
pub use known::{KNOWN, Known, known};
pub use peer::{Peer, Question};
pub use scope::random_scope;
pub use shrink::shrink;
pub use stored::Stored;
pub use tree::Tree;
