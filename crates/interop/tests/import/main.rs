//! Documents of other systems become maps, and their actions are called.
//!
//! Tests whose names begin with `w` or `p` and a number show a requirement of AWAS or AWP; see the guide.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue should panic")]

mod awas;
mod awp;
mod bookstore;
mod discovery;
mod flights;
mod hostile;
mod published;
mod stage;
