//! Launches a browser: finds the executable, starts it, and cleans up after it exits.

mod cleaner;
mod find;
mod flags;
mod keeper;
mod options;
mod process;
mod profile;
mod spawn;
mod start;
mod sweep;

pub use find::{Executable, find};
pub(crate) use keeper::Keeper;
pub use keeper::all_cleaned;
pub use options::{LaunchNote, LaunchOptions, Reach, Sandbox};
pub(crate) use process::memory_of_group;
pub use start::{Launched, launch};
