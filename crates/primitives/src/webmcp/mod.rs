//! Tools that a page registers itself, for agents that speak WebMCP.

pub(crate) mod call_tool;
mod listed;

pub use listed::{ListedPageTool, page_tools};
