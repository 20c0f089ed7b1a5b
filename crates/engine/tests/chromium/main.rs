//! What holds of calls on a real page and cannot be shown on a fake one.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue should panic")]

mod aftermath;
mod dropped;
mod handlers;
mod locators;
mod navigating;
mod page;
mod pages;
mod reports;
mod round_trips;
mod states;
mod transitions;
