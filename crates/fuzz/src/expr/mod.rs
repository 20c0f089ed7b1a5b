//! Compares our JSONata evaluation with jsonata.js on random typed expressions and scopes.
//!
//! [`Grammar`] makes an expression tree, [`random_scope`] a scope for it, [`Peer`] asks jsonata.js, [`compare`] judges the
//! two answers, and [`shrink`] makes a difference small enough to read.

mod answer;
mod compare;
mod grammar;
mod known;
mod peer;
mod scope;
mod shrink;
mod templates;
mod tree;

pub use answer::Answer;
pub use compare::{Judgement, compare};
pub use grammar::Grammar;
pub use known::{KNOWN, Known, known};
pub use peer::{Peer, PeerError};
pub use scope::random_scope;
pub use shrink::shrink;
pub use tree::Tree;
