//! Chromium: launched over pipes, or attached to over a WebSocket.

mod attach;
mod browser;
mod context;
mod downloads;
pub mod launch;
mod lifeline;
mod network;
mod page;
mod storage;

pub use attach::{AttachOptions, attach};
pub use browser::ChromiumBrowser;
pub use context::ChromiumContext;
pub use launch::{Executable, LaunchNote, LaunchOptions, Launched, Reach, Sandbox, find, launch};
pub use page::ChromiumPage;
