//! The tools that a server offers, from the maps it has.

use std::collections::BTreeSet;
use std::sync::Arc;

use actions_engine::{CallError, Effect, Engine, ErrorCode};
use actions_runtime::MapVersion;
use serde_json::{Map, Value, json};

use crate::definition::Definition;
use crate::names::{free, slug};
use crate::options::Offer;
use crate::schema;

/// The tool that works with the site of a page.
pub(crate) const SITE: &str = "actions_site";
/// The tool that works with pages.
pub(crate) const PAGE: &str = "actions_page";
/// The tool that performs a primitive.
pub(crate) const PRIMITIVE: &str = "actions_primitive";

/// The argument of a call that names a page.
pub(crate) const PAGE_ARGUMENT: &str = "_page";
/// The argument of a call that confirms it.
pub(crate) const CONFIRM_ARGUMENT: &str = "_confirm";

/// A list of tools is kept below this many bytes, as far as the output schemas allow.
const LIST_BYTES: usize = 4_096;

/// What the list itself has around its tools, in either era of the protocol.
const AROUND_BYTES: usize = 160;

/// The tools of the maps of a server.
#[derive(Clone, Debug)]
pub(crate) struct Catalogue {
    maps: Vec<KnownMap>,
    tools: Vec<KnownTool>,
}

/// A map, with the name that clients know it by.
#[derive(Clone, Debug)]
pub(crate) struct KnownMap {
    pub(crate) slug: String,
    pub(crate) version: MapVersion,
    /// The tools that only read, by what the map says of them. Their steps may click, as a search does.
    pub(crate) reads: Arc<BTreeSet<String>>,
}

/// A tool of a map, with the name that clients call it by.
#[derive(Clone, Debug)]
pub(crate) struct KnownTool {
    pub(crate) name: String,
    /// Its name in the map.
    pub(crate) tool: String,
    map: usize,
    /// Whether its value stands below `result`.
    pub(crate) wraps: Option<bool>,
    definition: Definition,
}

impl Catalogue {
    /// The tools of maps, in order of precedence. A tool that cannot run here is not among them.
    pub(crate) fn of(versions: &[MapVersion]) -> Self {
        let mut maps: Vec<KnownMap> = Vec::new();
        let mut tools: Vec<KnownTool> = Vec::new();
        for (at, version) in versions.iter().enumerate() {
            let wanted = slug(&address(&version.engine).unwrap_or_else(|| version.name.clone()));
            let slug = free(&wanted, "map", |name| maps.iter().any(|map| map.slug == name));
            let mut reads = BTreeSet::new();
            for tool in version.engine.manifest().tools() {
                let tool_name = tool.name.to_string();
                let Ok(plan) = version.engine.plan(&tool_name) else { continue };
                if plan.can_perform().is_err() {
                    continue;
                }
                let is_taken = |name: &str| {
                    [SITE, PAGE, PRIMITIVE].contains(&name) || tools.iter().any(|known| known.name == name)
                };
                let name = free(&tool_name, &slug, is_taken);
                let x_actions = tool.item.x_actions.as_ref();
                let declared = x_actions.and_then(|x| x.effect.as_ref()).map(|effect| effect.as_str());
                // What an import says of itself is not trusted.
                let says_read = declared == Some("read") && !tool.part.is_imported();
                let is_read_only = plan.effect() == Effect::Read || says_read;
                if is_read_only {
                    reads.insert(tool_name.clone());
                }
                let result =
                    x_actions.and_then(|x| x.result_schema.as_ref()).or(tool.item.result_schema.as_ref());
                let result = result.map(|result| &result.schema);
                let definition = Definition {
                    name: name.clone(),
                    description: tool.item.description.to_string(),
                    input_schema: as_input(&tool.item.input_schema.schema),
                    output_schema: result.map(schema::published),
                    is_read_only,
                };
                tools.push(KnownTool {
                    name,
                    tool: tool_name,
                    map: at,
                    wraps: result.map(schema::wraps),
                    definition,
                });
            }
            maps.push(KnownMap { slug, version: version.clone(), reads: Arc::new(reads) });
        }
        Self { maps, tools }
    }

    pub(crate) fn maps(&self) -> &[KnownMap] {
        &self.maps
    }

    /// The map of a tool.
    pub(crate) fn map_of(&self, tool: &KnownTool) -> &KnownMap {
        &self.maps[tool.map]
    }

    /// A tool by the name that clients call it by, or by its name in the first map that has it.
    pub(crate) fn tool(&self, name: &str) -> Option<&KnownTool> {
        let by_name = self.tools.iter().find(|tool| tool.name == name);
        by_name.or_else(|| self.tools.iter().find(|tool| tool.tool == name))
    }

    /// The name that clients call a tool of a map by.
    pub(crate) fn name_of(&self, engine: &Engine, tool: &str) -> Option<&str> {
        let source = |engine: &Engine| engine.manifest().root_part().document().source().name().to_owned();
        let map = self.maps.iter().position(|map| source(&map.version.engine) == source(engine))?;
        self.tools
            .iter()
            .find(|known| known.map == map && known.tool == tool)
            .map(|known| known.name.as_str())
    }

    /// The map with this name.
    pub(crate) fn map(&self, slug: &str) -> Option<&KnownMap> {
        self.maps.iter().find(|map| map.slug == slug)
    }

    /// The map that has a projection: the first one where it applies to the page, else the first one.
    pub(crate) fn has_projection(&self, projection: &str) -> bool {
        self.maps.iter().any(|map| map.version.engine.manifest().projection(projection).is_some())
    }

    /// The definitions of the tools of the maps, without those of the server itself.
    pub(crate) fn of_maps(&self, url: Option<&str>) -> Vec<Definition> {
        self.tools.iter().filter(|tool| self.applies(tool, url)).map(|tool| tool.definition.clone()).collect()
    }

    /// Whether a tool applies to an address, by what its map says of addresses.
    fn applies(&self, tool: &KnownTool, url: Option<&str>) -> bool {
        let manifest = self.map_of(tool).version.engine.manifest();
        url.is_none_or(|url| manifest.tool(&tool.tool).is_some_and(|tool| tool.applies_to(url)))
    }

    /// The definitions that a client is offered. With the address of a page, the tools of the maps that apply there.
    pub(crate) fn offered(&self, offer: Offer, primitives: bool, url: Option<&str>) -> Vec<Definition> {
        let mut offered: Vec<Definition> = match offer {
            Offer::Site => Vec::new(),
            Offer::All | Offer::Page => self.of_maps(url).into_iter().map(with_page).collect(),
        };
        offered.push(site());
        offered.push(page());
        if primitives {
            offered.push(primitive());
        }
        shorten(&mut offered);
        offered
    }

    /// The error of a call of a tool that there is not.
    pub(crate) fn unknown(&self, name: &str) -> CallError {
        let names: Vec<&str> = self.tools.iter().map(|tool| tool.name.as_str()).collect();
        CallError::new(ErrorCode::UnknownAction, format!("there is no tool `{name}`"))
            .with_evidence("tools", names)
    }
}

/// Where the surface of a map is.
pub(crate) fn address(engine: &Engine) -> Option<String> {
    let surface = engine.manifest().root().surface()?;
    let address = surface.url.as_ref().or(surface.origin.as_ref());
    let name = || surface.name.as_ref().map(|name| name.to_string());
    address.map(|address| address.to_string()).or_else(name)
}

/// An input schema as clients want it: always an object.
fn as_input(schema: &Map<String, Value>) -> Map<String, Value> {
    let mut schema = schema.clone();
    schema.entry("type").or_insert_with(|| json!("object"));
    schema
}

/// A tool that also takes the page to run on.
fn with_page(mut definition: Definition) -> Definition {
    let properties = definition.input_schema.entry("properties").or_insert_with(|| json!({}));
    if let Some(properties) = properties.as_object_mut() {
        properties.entry(PAGE_ARGUMENT).or_insert_with(|| json!({ "type": "string" }));
        if !definition.is_read_only {
            properties.entry(CONFIRM_ARGUMENT).or_insert_with(|| json!({ "type": "string" }));
        }
    }
    definition
}

/// Describes the output less, the largest first, until the list is short enough or nothing is left to leave out.
fn shorten(offered: &mut [Definition]) {
    let size = |definition: &Definition| json!(definition.to_tool()).to_string().len() + 1;
    let output = |definition: &Definition| {
        definition.output_schema.as_ref().map_or(0, |schema| json!(schema).to_string().len())
    };
    let mut total: usize = offered.iter().map(size).sum::<usize>() + AROUND_BYTES;
    for less in [schema::shallow as fn(&Map<String, Value>) -> Map<String, Value>, |_| schema::any()] {
        let mut by_size: Vec<usize> = (0..offered.len()).collect();
        by_size.sort_by_key(|at| std::cmp::Reverse(output(&offered[*at])));
        for at in by_size {
            if total <= LIST_BYTES {
                return;
            }
            let before = output(&offered[at]);
            offered[at].output_schema = offered[at].output_schema.as_ref().map(less);
            total -= before.saturating_sub(output(&offered[at]));
        }
    }
}

fn site() -> Definition {
    let input = json!({
        "type": "object",
        "properties": {
            "mode": { "type": "string", "enum": ["list", "call", "state_read", "state_summary", "state_diff"] },
            "action": { "type": "string" },
            "arguments": { "type": "object" },
            "projection": { "type": "string" },
            "summary": { "type": "string" },
            "max_bytes": { "type": "integer" },
            PAGE_ARGUMENT: { "type": "string" },
            CONFIRM_ARGUMENT: { "type": "string" },
        },
        "required": ["mode"],
    });
    Definition {
        name: SITE.to_owned(),
        description:
            "Site of a page. list: what applies now; call: run tool `action`; state_*: page state as data."
                .to_owned(),
        input_schema: schema::object(input),
        output_schema: None,
        is_read_only: false,
    }
}

fn page() -> Definition {
    let input = json!({
        "type": "object",
        "properties": {
            "mode": { "type": "string", "enum": ["list", "open", "switch", "close"] },
            "url": { "type": "string" },
            "new_session": { "type": "boolean" },
            PAGE_ARGUMENT: { "type": "string" },
        },
        "required": ["mode"],
    });
    Definition {
        name: PAGE.to_owned(),
        description: "Pages. open returns a handle for `_page`; new_session: own cookies.".to_owned(),
        input_schema: schema::object(input),
        output_schema: None,
        is_read_only: false,
    }
}

fn primitive() -> Definition {
    let input = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string" },
            "arguments": { "type": "object" },
            PAGE_ARGUMENT: { "type": "string" },
            CONFIRM_ARGUMENT: { "type": "string" },
        },
        "required": ["name"],
    });
    Definition {
        name: PRIMITIVE.to_owned(),
        description: "Perform one primitive, such as page.info; see the resource actions://dictionary."
            .to_owned(),
        input_schema: schema::object(input),
        output_schema: None,
        is_read_only: false,
    }
}
