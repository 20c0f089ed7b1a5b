//! What every importer produces: actions of a site in one form, whatever system described them.
//!
//! A reader of a system fills these records, and [`ImportedSite::write`] makes an ordinary map of them. So results, policy,
//! confirmation, limits and dependencies are written once, in the engine.

mod check;
mod name;
mod schema;
mod write;

use serde::Serialize;
use serde_json::{Map, Value};

pub use check::Unfit;
pub use name::{NameCollision, namespace_of, safe_name};
pub(crate) use schema::{plain, text_of_site};
pub(crate) use write::HELPER;

/// The actions of a site in one form.
#[derive(Clone, Debug)]
pub struct ImportedSite {
    /// The origin of the site.
    pub origin: String,
    /// The other origins that its actions are called at.
    pub more_origins: Vec<String>,
    /// The prefix of the names of the tools.
    pub namespace: String,
    /// What the site calls itself.
    pub name: Option<String>,
    /// What the site says of itself.
    pub description: Option<String>,
    /// What the site tells agents that plan, labelled; never an instruction.
    pub hints: Vec<(String, String)>,
    /// The actions that can be called.
    pub actions: Vec<ImportedAction>,
    /// The actions that cannot, and why.
    pub left_out: Vec<LeftOut>,
    /// Where all of it comes from.
    pub provenance: Provenance,
}

/// Where actions come from.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Provenance {
    /// The system: `awas` or `awp`.
    pub system: String,
    /// The dialect or version of the document.
    pub dialect: String,
    /// The address or the file of the document.
    pub url: String,
    /// When it was fetched, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fetched_at: Option<String>,
    /// The version of the document, by its server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// The digest of its bytes.
    pub sha256: String,
    /// How far it is trusted: always `website`.
    pub trust: String,
    /// How much its maker trusts it, for documents that the site did not write itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Whether an intermediary made it, and not the site.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub synthetic: bool,
}

/// An action that is not offered as a tool.
#[derive(Clone, Debug, Serialize)]
pub struct LeftOut {
    /// Its id.
    pub id: String,
    /// Why.
    pub reason: String,
}

/// An action of a site in the form that all systems share.
#[derive(Clone, Debug)]
pub struct ImportedAction {
    /// The id that the site gave it.
    pub id: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it does, by the site.
    pub description: String,
    /// The JSON Schema of its arguments: an object without other members.
    pub input_schema: Value,
    /// The JSON Schema of its result.
    pub result_schema: Option<Value>,
    /// Whether a result that does not fit is an error.
    pub strict_result: bool,
    /// How it is performed: a workflow over ordinary primitives.
    pub workflow: Value,
    /// Tools that only the workflow calls.
    pub helpers: Vec<Helper>,
    /// What it does to the site.
    pub effect: Effect,
    /// What it needs of a person before it runs.
    pub confirm: Confirm,
    /// Why.
    pub reasons: Vec<String>,
    /// How often it may be called.
    pub limits: Vec<RateLimit>,
    /// The ids of the actions that must have succeeded before.
    pub depends_on: Vec<String>,
    /// What the site says of it now.
    pub standing: Standing,
    /// The keys of the policy of the site that it falls under, with how that is known.
    pub policy_keys: Vec<PolicyKey>,
    /// What else the site says of it, for reviewers.
    pub more: Map<String, Value>,
}

/// A tool that only a workflow of the same action calls.
#[derive(Clone, Debug)]
pub struct Helper {
    /// What is added to the name of the action.
    pub suffix: &'static str,
    /// What it does.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub input_schema: Value,
    /// How it is performed.
    pub workflow: Value,
}

/// What an action does to the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// It only looks.
    Read,
    /// It changes something.
    Write,
    /// It removes or damages something.
    Destructive,
    /// What it does cannot be undone.
    Irreversible,
}

impl Effect {
    /// The word in a map.
    pub fn as_str(self) -> &'static str {
        match self {
            Effect::Read => "read",
            Effect::Write => "write",
            Effect::Destructive => "destructive",
            Effect::Irreversible => "irreversible",
        }
    }
}

/// What an action needs of a person before it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confirm {
    /// Nothing.
    Never,
    /// A yes, which can be given for all actions in advance.
    Recommended,
    /// A yes to this very action.
    Mandatory,
}

impl Confirm {
    /// The word in a map.
    pub fn as_str(self) -> &'static str {
        match self {
            Confirm::Never => "never",
            Confirm::Recommended => "recommended",
            Confirm::Mandatory => "mandatory",
        }
    }
}

/// How often an action may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// Whether all actions of the site are counted together.
    pub site: bool,
    /// How many calls.
    pub count: u64,
    /// Within how many milliseconds.
    pub per_ms: u64,
}

/// What a site says of an action now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It works.
    Available,
    /// It does not work well.
    Degraded,
    /// The site does not work.
    Unavailable,
}

impl Standing {
    /// The word in a map.
    pub fn as_str(self) -> &'static str {
        match self {
            Standing::Available => "available",
            Standing::Degraded => "degraded",
            Standing::Unavailable => "unavailable",
        }
    }
}

/// A key of a policy that an action falls under.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PolicyKey {
    /// The group: `read`, `action` or `data`.
    pub group: &'static str,
    /// The key.
    pub key: &'static str,
    /// How that is known.
    pub how: &'static str,
}

impl ImportedAction {
    /// An action that reads and demands nothing, to be completed.
    pub fn new(id: impl Into<String>, workflow: Value) -> Self {
        Self {
            id: id.into(),
            title: None,
            description: String::new(),
            input_schema: serde_json::json!({ "type": "object", "properties": {}, "additionalProperties": false }),
            result_schema: None,
            strict_result: false,
            workflow,
            helpers: Vec::new(),
            effect: Effect::Read,
            confirm: Confirm::Never,
            reasons: Vec::new(),
            limits: Vec::new(),
            depends_on: Vec::new(),
            standing: Standing::Available,
            policy_keys: Vec::new(),
            more: Map::new(),
        }
    }

    /// Demands a person's yes, and says why. The strongest demand stays.
    pub fn demand(&mut self, confirm: Confirm, reason: impl Into<String>) {
        self.confirm = self.confirm.max(confirm);
        self.reasons.push(reason.into());
    }
}
