//! The definition of a tool, as clients of several kinds want it.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

/// The definition of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Its name, which every client accepts.
    pub name: String,
    /// What it does.
    pub description: String,
    /// What it takes.
    pub input_schema: Map<String, Value>,
    /// What its structured content is.
    pub output_schema: Option<Map<String, Value>>,
    /// Whether it changes nothing.
    pub is_read_only: bool,
}

/// Who a definition is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Chat completions of OpenAI and of servers that speak like them.
    OpenAi,
    /// Messages of Anthropic.
    Anthropic,
    /// MCP.
    Mcp,
}

impl Definition {
    /// The tool as MCP lists it.
    pub(crate) fn to_tool(&self) -> Tool {
        let input: Arc<JsonObject> = Arc::new(self.input_schema.clone());
        let tool = Tool::new(self.name.clone(), self.description.clone(), input);
        let tool = tool.with_annotations(ToolAnnotations::new().read_only(self.is_read_only));
        match &self.output_schema {
            Some(output) => tool.with_raw_output_schema(Arc::new(output.clone())),
            None => tool,
        }
    }

    /// The definition in the form of a kind of client.
    pub fn to_json(&self, style: Style) -> Value {
        let Self { name, description, input_schema, .. } = self;
        match style {
            Style::OpenAi => json!({
                "type": "function",
                "function": { "name": name, "description": description, "parameters": input_schema },
            }),
            Style::Anthropic => {
                json!({ "name": name, "description": description, "input_schema": input_schema })
            }
            Style::Mcp => json!(self.to_tool()),
        }
    }
}

/// A list of definitions, ready to paste into a request to a model or an answer to `tools/list`.
pub fn definitions(all: &[Definition], style: Style) -> Value {
    let listed: Vec<Value> = all.iter().map(|one| one.to_json(style)).collect();
    match style {
        Style::OpenAi | Style::Anthropic => json!(listed),
        Style::Mcp => json!({ "tools": listed }),
    }
}
