//! The tools of the maps as commands.

use actions_engine::{Effect, Engine};
use actions_runtime::MapVersion;
use serde_json::{Map, Value, json};

use crate::names::{NameCollision, wire_names};
use crate::permission::Permissions;
use crate::trigger::Does;

/// The types that the protocol knows for parameters.
const TYPES: [&str; 5] = ["string", "number", "boolean", "array", "object"];

/// A tool as a command.
#[derive(Clone, Debug)]
pub(crate) struct KnownCommand {
    pub(crate) name: String,
    pub(crate) tool: String,
    pub(crate) description: String,
    pub(crate) engine: Engine,
    pub(crate) does: Does,
    pub(crate) requires_auth: bool,
    params: Value,
}

/// The commands of a bridge.
#[derive(Clone, Debug, Default)]
pub(crate) struct Catalogue {
    pub(crate) commands: Vec<KnownCommand>,
    /// What all of the commands together need.
    pub(crate) needs: Permissions,
}

impl Catalogue {
    /// The tools of maps, in order of precedence. A tool that cannot run here is not among them.
    pub(crate) fn of(versions: &[MapVersion], auth_for_writes: bool) -> Result<Self, NameCollision> {
        let mut found: Vec<(String, &Engine)> = Vec::new();
        for version in versions {
            for tool in version.engine.manifest().tools() {
                let name = tool.name.to_string();
                let can_run = version.engine.plan(&name).is_ok_and(|plan| plan.can_perform().is_ok());
                if can_run && found.iter().all(|(known, _)| *known != name) {
                    found.push((name, &version.engine));
                }
            }
        }
        let names = wire_names(found.iter().map(|(tool, _)| tool.as_str()))?;
        let mut commands = Vec::new();
        for (tool, engine) in &found {
            let Some((name, _)) = names.iter().find(|(_, known)| *known == tool) else { continue };
            commands.extend(KnownCommand::of(engine, tool, name, auth_for_writes));
        }
        let needs =
            commands.iter().fold(Permissions::default(), |needs, command| needs.or(command.does.needs));
        Ok(Self { commands, needs })
    }

    /// A command by its name, or by the name of its tool.
    pub(crate) fn find(&self, name: &str) -> Option<&KnownCommand> {
        self.commands.iter().find(|command| command.name == name || command.tool == name)
    }
}

impl KnownCommand {
    fn of(engine: &Engine, tool: &str, name: &str, auth_for_writes: bool) -> Option<Self> {
        let exposed = engine.manifest().tool(tool)?;
        let plan = engine.plan(tool).ok()?;
        let declared =
            exposed.item.x_actions.as_ref().and_then(|x| x.effect.as_ref()).map(|effect| effect.as_str());
        let says_read = declared == Some("read") && !exposed.part.is_imported();
        let reads = plan.effect() == Effect::Read || says_read;
        Some(Self {
            name: name.to_owned(),
            tool: tool.to_owned(),
            description: match exposed.item.description.to_string() {
                text if text.trim().is_empty() => format!("The action `{name}`."),
                text => text,
            },
            engine: engine.clone(),
            does: Does::of(engine, tool),
            requires_auth: auth_for_writes && !reads,
            params: params(&exposed.item.input_schema.schema),
        })
    }

    /// The command as it stands in a discovery document.
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "description": self.description,
            "trigger": self.does.trigger,
            "params": self.params,
            "requiresAuth": self.requires_auth,
            "x_name": self.tool,
        })
    }

    /// The part of its tool's name before the first dot, by which commands are grouped.
    pub(crate) fn category(&self) -> &str {
        self.tool.split_once('.').map_or("", |(category, _)| category)
    }
}

/// The members of an input schema as parameters.
fn params(schema: &Map<String, Value>) -> Value {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|one| one == name));
    let properties = schema.get("properties").and_then(Value::as_object);
    let parameter = |(name, property): (&String, &Value)| {
        let mut parameter = json!({ "name": name, "type": kind(property), "required": is_required(name) });
        for key in ["description", "default", "enum"] {
            if let Some(value) = property.get(key).filter(|value| !value.is_null()) {
                parameter[key] = value.clone();
            }
        }
        parameter
    };
    properties.into_iter().flatten().map(parameter).collect()
}

/// The type of a property in the words of the protocol.
fn kind(property: &Value) -> &'static str {
    let word = match &property["type"] {
        Value::String(word) => Some(word.as_str()),
        Value::Array(words) => words.iter().filter_map(Value::as_str).find(|word| *word != "null"),
        _ => None,
    };
    match word {
        Some("integer") => "number",
        Some(word) => TYPES.into_iter().find(|known| *known == word).unwrap_or("string"),
        None if property.get("properties").is_some() => "object",
        None if property.get("items").is_some() => "array",
        None => "string",
    }
}
