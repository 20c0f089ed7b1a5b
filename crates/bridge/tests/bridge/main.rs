//! The bridge on real Chromium, over its transports.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue should panic")]

mod attachments;
mod connect;
mod dialled;
mod frames;
mod fuzz;
mod keyboard;
mod listen;
mod load;
mod peer;
mod people;
mod person;
mod reference;
mod signals;
mod stage;
mod transcripts;
