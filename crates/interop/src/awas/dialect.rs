//! The dialects, and the names that members have in each of them and in the wild.

use actions_manifest::Report;
use actions_manifest::document::{Node, Spot};

use super::rules::awas009_alias;

/// A dialect of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Version 1.0: `path`, `parameters`, `result`.
    One,
    /// Version 1.1: `endpoint`, `inputs`, `outputs`.
    OneOne,
}

impl Dialect {
    /// The version, as documents write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Dialect::One => "1.0",
            Dialect::OneOne => "1.1",
        }
    }

    /// The dialect of a document, by its content.
    pub(super) fn of(root: Node<'_>) -> Option<Self> {
        if root.get("specVersion").is_some() {
            return Some(Dialect::OneOne);
        }
        let actions = ACTIONS.iter().find_map(|key| root.get(key));
        let has = |keys: &[&str]| {
            let mut actions = actions.into_iter().flat_map(Node::elements);
            actions.any(|action| keys.iter().any(|key| action.get(key).is_some()))
        };
        if has(&["path", "parameters"]) {
            return Some(Dialect::One);
        }
        if has(&["endpoint", "url", "action_id", "http_method"]) {
            return Some(Dialect::OneOne);
        }
        // A catalogue without actions, or with actions that cannot be called, is read as what it says.
        actions.map(|_| Dialect::One)
    }
}

/// A member with its name in each dialect, and the other names that are read.
pub(super) struct Member {
    one: &'static str,
    one_one: &'static str,
    others: &'static [&'static str],
}

const fn member(one: &'static str, one_one: &'static str, others: &'static [&'static str]) -> Member {
    Member { one, one_one, others }
}

const ACTIONS: &[&str] = &["actions", "ai_actions"];

pub(super) const CATALOGUE: Member = member("actions", "actions", &["ai_actions"]);
pub(super) const VERSION: Member = member("version", "specVersion", &["schemaVersion", "schema_version"]);
pub(super) const SITE_NAME: Member = member("name", "name", &["appName"]);
pub(super) const ID: Member = member("id", "id", &["action_id"]);
pub(super) const METHOD: Member = member("method", "method", &["http_method"]);
pub(super) const PLACE: Member = member("path", "endpoint", &["endpoint", "path", "url"]);
pub(super) const PARAMETERS: Member = member("parameters", "inputs", &["inputs", "parameters", "params"]);
pub(super) const INPUT_SCHEMA: Member =
    member("inputSchema", "inputSchema", &["input_schema", "request_schema"]);
pub(super) const OUTPUT_SCHEMA: Member =
    member("outputSchema", "outputSchema", &["output_schema", "response_schema"]);

impl Member {
    /// The name in a dialect.
    pub(super) fn name(&self, dialect: Dialect) -> &'static str {
        match dialect {
            Dialect::One => self.one,
            Dialect::OneOne => self.one_one,
        }
    }

    /// The member, under whatever name. Another name than that of the dialect is reported.
    pub(super) fn of<'d>(&self, owner: Node<'d>, dialect: Dialect, report: &mut Report) -> Option<Node<'d>> {
        let name = self.name(dialect);
        if let Some(found) = owner.get(name) {
            return Some(found);
        }
        let (alias, found) = self.others.iter().find_map(|other| Some((*other, owner.get(other)?)))?;
        report
            .find(
                &awas009_alias::RULE,
                Spot::Key(found),
                format!("`{alias}` is not a name of version {}", dialect.as_str()),
            )
            .help(format!("write `{name}`"))
            .tolerated();
        Some(found)
    }
}
