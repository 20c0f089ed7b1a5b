//! What holds of every call, whatever its tool does: shown on the fake driver, with a clock that jumps.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue should panic")]

#[path = "../workflows/auto_clock.rs"]
mod auto_clock;
mod cancel;
mod dialogs;
mod here;
mod login;
mod loss;
mod map;
mod mutated;
mod pace;
mod policy;
mod reports;
mod secrets;
mod send;
mod states;
mod timeout;
mod trace;
mod transitions;
mod traverse;
