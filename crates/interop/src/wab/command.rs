//! A command of a discovery document.

use serde_json::{Map, Value, json};

/// What a command does to the page or the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// It clicks.
    Click,
    /// It fills in a form and sends it.
    FillAndSubmit,
    /// It scrolls.
    Scroll,
    /// It calls the API of the site.
    Api,
    /// It opens another page of the site.
    Navigate,
}

/// The beginnings of names of commands that only look something up.
const LOOKING: &[&str] = &["get", "list", "search", "find", "view", "read"];

impl Trigger {
    /// Every trigger, with its word and the permission that it needs.
    pub const ALL: &'static [(Trigger, &'static str, &'static str)] = &[
        (Trigger::Click, "click", "click"),
        (Trigger::FillAndSubmit, "fill_and_submit", "fillForms"),
        (Trigger::Scroll, "scroll", "scroll"),
        (Trigger::Api, "api", "apiAccess"),
        (Trigger::Navigate, "navigate", "navigate"),
    ];

    /// The trigger of a word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known, _)| *known == word).map(|(trigger, ..)| *trigger)
    }

    /// The word in a document.
    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(known, ..)| *known == self).map_or("api", |(_, word, _)| word)
    }

    /// The permission that it needs.
    pub fn permission(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(known, ..)| *known == self)
            .map_or("apiAccess", |(_, _, permission)| permission)
    }

    /// Whether a command of this name only looks.
    pub fn reads(self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        match self {
            Trigger::Scroll | Trigger::Navigate => true,
            Trigger::Click | Trigger::FillAndSubmit => false,
            Trigger::Api => LOOKING.iter().any(|word| name.starts_with(word)),
        }
    }

    /// Whether it works on the page.
    pub fn touches_page(self) -> bool {
        self != Trigger::Api
    }
}

/// A parameter of a command.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type, if it is one of the protocol.
    pub kind: Option<&'static str>,
    /// Whether it has to be given.
    pub required: bool,
    /// What it is, by the site.
    pub description: Option<String>,
    /// What it is if it is not given.
    pub default: Option<Value>,
    /// What it can be.
    pub options: Vec<Value>,
}

/// The types of parameters.
pub(super) const TYPES: [&str; 5] = ["string", "number", "boolean", "array", "object"];
/// The most parameters of a command that are read.
const MOST_PARAMETERS: usize = 200;

/// A command of a discovery document.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// Its name.
    pub name: String,
    /// What it does, by the site.
    pub description: String,
    /// What it does to the page or the site.
    pub trigger: Trigger,
    /// Its parameters.
    pub params: Vec<Parameter>,
    /// Whether it needs a session.
    pub requires_auth: bool,
}

impl Command {
    /// Reads a command. A name alone, or an object without a name, is none. What is missing is as little as it can be.
    pub(super) fn of(value: &Value, named: Option<&str>) -> Option<Self> {
        let members = value.as_object()?;
        let text = |key: &str| members.get(key).and_then(Value::as_str).map(str::to_owned);
        let listed = ["params", "parameters", "fields"].iter().find_map(|key| members.get(*key)?.as_array());
        let params = listed.into_iter().flatten().take(MOST_PARAMETERS).filter_map(Parameter::of);
        let flag = |key: &str| members.get(key).and_then(Value::as_bool);
        Some(Self {
            name: text("name").or_else(|| named.map(str::to_owned)).filter(|name| !name.is_empty())?,
            description: text("description").unwrap_or_default(),
            trigger: text("trigger").and_then(|word| Trigger::of_word(&word)).unwrap_or(Trigger::Api),
            params: params.collect(),
            requires_auth: flag("requiresAuth").or_else(|| flag("requires_auth")).unwrap_or(false),
        })
    }

    /// The JSON Schema of its parameters.
    pub fn input_schema(&self) -> Value {
        let properties: Map<String, Value> =
            self.params.iter().map(|one| (one.name.clone(), one.schema())).collect();
        let needs = |one: &&Parameter| one.required && one.default.is_none();
        let required: Vec<&str> = self.params.iter().filter(needs).map(|one| one.name.as_str()).collect();
        let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema
    }
}

impl Parameter {
    fn of(value: &Value) -> Option<Self> {
        let members = value.as_object()?;
        let text = |key: &str| members.get(key).and_then(Value::as_str);
        Some(Self {
            name: text("name").filter(|name| !name.is_empty() && name.len() <= 200)?.to_owned(),
            kind: text("type").and_then(|kind| TYPES.into_iter().find(|known| *known == kind)),
            required: members.get("required").and_then(Value::as_bool).unwrap_or(false),
            description: text("description").map(str::to_owned),
            default: members.get("default").filter(|value| !value.is_null()).cloned(),
            options: members.get("enum").and_then(Value::as_array).cloned().unwrap_or_default(),
        })
    }

    fn schema(&self) -> Value {
        let mut schema = Map::new();
        if let Some(kind) = self.kind {
            schema.insert("type".to_owned(), json!(kind));
        }
        if let Some(text) = &self.description {
            schema.insert("description".to_owned(), json!(crate::record::plain(text)));
        }
        if let Some(default) = &self.default {
            schema.insert("default".to_owned(), default.clone());
        }
        if !self.options.is_empty() {
            schema.insert("enum".to_owned(), json!(self.options));
        }
        Value::Object(schema)
    }
}
