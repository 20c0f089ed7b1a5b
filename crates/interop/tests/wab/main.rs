//! Discovery documents of the Web Agent Bridge: checked, translated, and used by an agent against bridges of several kinds.
//!
//! Tests of the requirements of the protocol begin with the number of the requirement.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue should panic")]

mod agent;
mod bridge;
mod document;
