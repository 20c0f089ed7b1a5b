//! Driver ports and Chromium over the DevTools protocol.

pub mod script;
