//! Lists what a map offers on a page.

use actions_manifest::CheckedManifest;
use actions_manifest::model::{DeclaredFile, Summary};
use actions_primitives::ListedPageTool;
use serde::Serialize;
use serde_json::{Map, Value};

use super::ListedTransition;

/// What a map offers on a page.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Listing {
    /// The page.
    pub url: String,
    /// The tools that apply to it.
    pub actions: Vec<ListedTool>,
    /// The projections that apply to it.
    pub state_projections: Vec<ListedProjection>,
    /// The files the map declares.
    pub files: Vec<ListedFile>,
    /// Instructions for an agent that works with the map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Value>,
    /// What the map says under `skill`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill: Option<Value>,
    /// The documentation that applies to the page.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<ListedContext>,
    /// The transitions that tools on the page perform.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transitions: Vec<ListedTransition>,
    /// The tools that the page has registered itself, for `webmcp.call_tool`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub page_tools: Vec<ListedPageTool>,
}

/// A block of documentation.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ListedContext {
    /// Its id.
    pub id: String,
    /// A short label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The text.
    pub body: String,
}

/// A tool.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ListedTool {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// What it takes.
    pub input_schema: Map<String, Value>,
    /// A part of the addresses it applies to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_url_contains: Option<String>,
}

/// A projection.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ListedProjection {
    /// Its name.
    pub name: String,
    /// What it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its summaries.
    pub summaries: Vec<ListedSummary>,
}

/// A summary.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ListedSummary {
    /// Its name.
    pub name: String,
    /// What it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its budget.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
    /// What it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Map<String, Value>>,
}

/// A file.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ListedFile {
    /// The id it is read by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its path, relative to the map.
    pub path: String,
    /// What sort of file it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// A short label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What is in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// When to read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_when: Option<Value>,
}

impl Listing {
    /// What a map offers on a page of this address.
    pub fn of(manifest: &CheckedManifest, url: &str) -> Self {
        let applying: Vec<_> = manifest.tools().filter(|tool| tool.applies_to(url)).collect();
        let performed = |one: &ListedTransition| {
            one.tool.as_ref().is_some_and(|name| applying.iter().any(|tool| tool.name.as_str() == name))
        };
        let transitions =
            manifest.transitions().map(|one| ListedTransition::of(&one)).filter(performed).collect();
        let tools = applying.iter().map(|tool| ListedTool {
            name: tool.name.to_string(),
            description: tool.item.description.to_string(),
            input_schema: tool.item.input_schema.schema.clone(),
            target_url_contains: tool
                .item
                .x_actions
                .as_ref()
                .and_then(|x_actions| x_actions.binding.as_ref()?.target_url_contains.clone()),
        });
        let projections =
            manifest.projections().filter(|one| one.applies_to(url)).map(|one| ListedProjection {
                name: one.name.to_string(),
                description: one.item.description.as_ref().map(|text| text.0.clone()),
                summaries: one.item.summaries.iter().map(listed_summary).collect(),
            });
        let context = manifest.contexts().filter(|one| one.applies_to(url)).map(|one| ListedContext {
            id: one.name.to_string(),
            title: one.item.title.clone(),
            body: one.item.body.to_string(),
        });
        let files = manifest
            .parts()
            .iter()
            .filter_map(|part| part.manifest())
            .filter_map(|manifest| manifest.x_actions.as_ref());
        let of_tools = manifest.tools().filter_map(|tool| tool.item.x_actions.as_ref());
        let of_tools: Vec<_> = of_tools.flat_map(|x_actions| &x_actions.files).collect();
        let files = files.flat_map(|x_actions| &x_actions.files).chain(of_tools);
        Self {
            url: url.to_owned(),
            actions: tools.collect(),
            state_projections: projections.collect(),
            files: files.map(listed_file).collect(),
            prompt: manifest.root().prompt.clone(),
            skill: manifest.skill(),
            context: context.collect(),
            transitions,
            page_tools: Vec::new(),
        }
    }
}

fn listed_summary(summary: &Summary) -> ListedSummary {
    ListedSummary {
        name: summary.name.to_string(),
        description: summary.description.as_ref().map(|text| text.0.clone()),
        max_bytes: summary.max_bytes.as_ref().map(|budget| budget.value.0),
        input_schema: summary.input_schema.as_ref().map(|schema| schema.schema.clone()),
    }
}

fn listed_file(file: &DeclaredFile) -> ListedFile {
    ListedFile {
        id: file.id.as_ref().map(|id| id.to_string()),
        path: file.path.value.clone(),
        kind: file.kind.clone(),
        title: file.title.clone(),
        description: file.description.clone(),
        read_when: file.read_when.clone(),
    }
}
