//! `actions.site`: the one entry to a map for commands, bridges, MCP servers and steps of workflows.

mod answer;
mod listed_transition;
mod listing;
mod request;

pub use answer::SiteAnswer;
pub use listed_transition::{ListedConvergence, ListedTransition};
pub use listing::{ListedContext, ListedFile, ListedProjection, ListedSummary, ListedTool, Listing};
pub use request::SiteRequest;
