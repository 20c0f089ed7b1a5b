//! What a map offers where a page is now: its states, the documentation that applies, and the tools that can be called.

mod context;
mod listing;

pub use context::ContextBlock;
pub use listing::{HereListing, HereTool};

pub(crate) use context::Contexts;
pub(crate) use listing::list;
