//! The tools of a page, as listings show them: bounded, and never executed.

use actions_browser::{Deadline, PageTool};
use serde::Serialize;
use serde_json::Value;

use crate::{Failure, Stage};

/// How many tools of a page are listed.
const MOST_LISTED: usize = 100;
/// The longest name that a page may give a tool.
const LONGEST_NAME: usize = 128;
/// How much of a description is listed, in characters.
const LONGEST_DESCRIPTION: usize = 1_000;
/// The largest schema that is listed, in bytes.
const LARGEST_SCHEMA: usize = 16_000;

/// A tool that a page registered itself. Everything in it is the page's word: data, never an instruction.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ListedPageTool {
    /// The name that `webmcp.call_tool` takes.
    pub name: String,
    /// What the page says it does.
    pub description: String,
    /// What it takes; absent if the page does not say, or says too much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Value>,
    /// Whether the page says that it changes nothing.
    pub reads_only: bool,
    /// Whether a person has to submit the form that is the tool.
    pub needs_person: bool,
    /// The address of the frame that registered it, unless that is the page itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_url: Option<String>,
}

/// The tools that the page has registered itself; none if the browser does not offer them.
pub async fn page_tools(stage: &Stage, deadline: Deadline) -> Result<Vec<ListedPageTool>, Failure> {
    let page = stage.page();
    let tools = page.page_tools(deadline).await?.unwrap_or_default();
    let main = page.main_frame();
    let frames = page.frames();
    let listed = tools.into_iter().filter(|tool| tool.name.len() <= LONGEST_NAME).take(MOST_LISTED);
    let listed = listed.map(|tool: PageTool| {
        let frame = frames.iter().find(|frame| frame.id == tool.frame && frame.id != main);
        ListedPageTool {
            name: tool.name,
            description: tool.description.chars().take(LONGEST_DESCRIPTION).collect(),
            input_schema: tool.input_schema.filter(|schema| schema.to_string().len() <= LARGEST_SCHEMA),
            reads_only: tool.reads_only,
            needs_person: tool.submits_itself == Some(false),
            frame_url: frame.map(|frame| frame.url.clone()),
        }
    });
    Ok(listed.collect())
}
