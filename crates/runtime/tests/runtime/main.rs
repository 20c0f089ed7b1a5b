//! The runtime on real Chromium.

mod lifetime;
mod order;
mod pages;
mod stage;
