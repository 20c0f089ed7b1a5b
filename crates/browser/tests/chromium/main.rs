//! Tests of the Chromium driver with real browsers. Each test runs in the headless shell and in full Chromium.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod attach;
mod calls;
mod confinement;
mod contexts;
mod crashes;
mod dialogs;
mod downloads;
mod files;
mod frames;
mod input;
mod launching;
mod leaks;
mod loss;
mod navigation;
mod popups;
mod recordings;
mod reports;
mod screenshots;
mod service_workers;
mod shadow_roots;
mod stage;
mod storage;
mod workers;
