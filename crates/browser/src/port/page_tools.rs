//! Tools that a page registers itself, for agents that speak WebMCP.

use async_trait::async_trait;
use serde_json::Value;

use crate::{Deadline, Error, FrameId};

/// A tool that a page registered. All of it is the page's word.
#[derive(Clone, Debug, PartialEq)]
pub struct PageTool {
    /// Its name.
    pub name: String,
    /// What the page says it does.
    pub description: String,
    /// The schema of its input.
    pub input_schema: Option<Value>,
    /// The frame that registered it.
    pub frame: FrameId,
    /// Whether the page says that it changes nothing.
    pub reads_only: bool,
    /// For a form that is a tool: whether it is submitted without a person. `None` for a function.
    pub submits_itself: Option<bool>,
}

/// What a tool of a page answered.
#[derive(Clone, Debug, PartialEq)]
pub enum PageToolAnswer {
    /// Its output.
    Completed(Value),
    /// The page gave the call up.
    Canceled,
    /// It failed, with this text of the page.
    Failed(String),
}

/// Tools that a page registers itself.
#[async_trait]
pub trait PageTools: Send + Sync {
    /// The tools that the frames of the page have registered now; `None` if the browser does not offer them.
    async fn page_tools(&self, deadline: Deadline) -> Result<Option<Vec<PageTool>>, Error>;

    /// Calls a tool of a frame and waits for its answer. The call is taken back at the deadline.
    async fn call_page_tool(
        &self,
        frame: &FrameId,
        name: &str,
        input: &Value,
        deadline: Deadline,
    ) -> Result<PageToolAnswer, Error>;
}
