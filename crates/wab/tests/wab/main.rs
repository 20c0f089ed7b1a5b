//! The bridge against an agent, by HTTP, by WebSocket and in a page of a real browser.
//!
//! Tests of the requirements of the protocol begin with the number of the requirement. Those that are not here stand beside
//! the code that meets them, or in the guide with the reason why there is none.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue should panic")]

mod agent;
mod http;
mod page;
mod restaurant;
mod socket;
mod stage;
