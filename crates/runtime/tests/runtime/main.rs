//! The runtime on real Chromium.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue should panic")]

mod lifetime;
mod order;
mod pages;
mod silent_page;
mod stage;
