//! From positioned nodes to typed values: one declaration gives the type, its reader and its JSON Schema.
//!
//! Reading reports every deviation and goes on: an unknown key is reported and passed over, a broken element of a
//! list is reported and left out. What is left out never reaches a caller, because a manifest with errors is not given out.

mod leaf;
mod locator;
mod object;
mod schema;
mod words;

use serde_json::Value;

use crate::document::{Kind, Node, NodeId, Spot};
use crate::finding::Report;
use crate::reading::{
    s001_missing_key, s002_wrong_type, s003_unknown_key, s004_unknown_word, w010_unknown_field,
};
use crate::rule::Rule;

pub use leaf::{
    AttemptLimit, ByteBudget, CallCount, Count, DelayMillis, ItemLimit, Located, PeriodMillis, Prose,
    WaitMillis,
};

pub(crate) use locator::{is_locator, is_misplaced_timeout};
pub(crate) use object::object;
pub(crate) use schema::Definitions;
pub(crate) use words::words;

/// A type that is read from a node and can describe itself as JSON Schema.
pub(crate) trait Lower: Sized {
    /// Reads the value; `None` after a finding was reported.
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self>;

    /// What the lenient profile takes in place of a required value that `owner` does not have.
    fn when_missing(_owner: Node<'_>) -> Option<Self> {
        None
    }

    /// The JSON Schema of what [`Lower::lower`] accepts.
    fn schema(definitions: &mut Definitions) -> Value;
}

/// What happens to keys an object does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    /// They are errors under every profile: a typo here would change what runs.
    Closed,
    /// They are errors, tolerated by the lenient profile; keys that begin with `x_` are free.
    Strict,
    /// They are free: the format names only the common ones.
    Open,
}

/// The members of an object that is being read.
pub(crate) struct Fields<'d> {
    node: Node<'d>,
}

impl<'d> Fields<'d> {
    /// Opens an object and reports the keys it should not have.
    pub(crate) fn open(
        node: Node<'d>,
        policy: Policy,
        keys: &[&'static str],
        report: &mut Report,
    ) -> Option<Self> {
        if node.kind() != Kind::Object {
            wrong_type(node, "an object", report);
            return None;
        }
        if policy != Policy::Open {
            let is_lenient_root = report.is_lenient() && node.parent().is_none();
            let unknown = node
                .members()
                .filter(|(key, _)| !keys.contains(key))
                .filter(|(key, _)| policy == Policy::Closed || !key.starts_with("x_"))
                .filter(|(key, _)| !(is_lenient_root && PASSED_OVER.contains(key)));
            for (key, value) in unknown {
                unknown_key(key, value, policy, keys, report);
            }
        }
        Some(Self { node })
    }

    /// Reads a member that must be there; `missing` is the rule that says so.
    pub(crate) fn required<T: Lower>(
        &self,
        key: &str,
        missing: &'static Rule,
        report: &mut Report,
    ) -> Option<T> {
        match self.node.get(key) {
            Some(value) => T::lower(value, report),
            None => {
                let schema = T::schema(&mut Definitions::default());
                let member = match schema.get("const") {
                    Some(only) => format!("\"{key}\": {only}"),
                    None => format!("\"{key}\""),
                };
                let assumed = T::when_missing(self.node);
                let finding = report
                    .find(missing, self.node, format!("{} has no `{key}`", self.subject()))
                    .help(format!("add `{member}`"));
                if assumed.is_some() {
                    finding.tolerated();
                }
                assumed
            }
        }
    }

    /// Reads a member that may be absent.
    pub(crate) fn optional<T: Lower>(&self, key: &str, report: &mut Report) -> Option<T> {
        self.node.get(key).and_then(|value| T::lower(value, report))
    }

    /// Reads a list that may be absent; broken elements are left out.
    pub(crate) fn list<T: Lower>(&self, key: &str, report: &mut Report) -> Vec<T> {
        self.node.get(key).map(|value| list(value, report)).unwrap_or_default()
    }

    /// Reads a list that must be there; `missing` is also reported when it is not a list.
    pub(crate) fn required_list<T: Lower>(
        &self,
        key: &str,
        missing: &'static Rule,
        report: &mut Report,
    ) -> Vec<T> {
        match self.node.get(key) {
            Some(value) if value.kind() == Kind::Array => list(value, report),
            Some(value) => {
                report.find(
                    missing,
                    value,
                    format!("`{key}` is {}, not an array", value.kind().with_article()),
                );
                Vec::new()
            }
            None => {
                report
                    .find(missing, self.node, format!("{} has no `{key}`", self.subject()))
                    .help(format!("add `\"{key}\": []`"));
                Vec::new()
            }
        }
    }

    /// Reads an object of freely named members; broken ones are left out.
    pub(crate) fn map<T: Lower>(&self, key: &str, report: &mut Report) -> Vec<(Located<String>, T)> {
        self.optional_map(key, report).unwrap_or_default()
    }

    /// Reads an object of freely named members that may be absent; broken members are left out.
    pub(crate) fn optional_map<T: Lower>(
        &self,
        key: &str,
        report: &mut Report,
    ) -> Option<Vec<(Located<String>, T)>> {
        let value = self.node.get(key)?;
        if value.kind() != Kind::Object {
            wrong_type(value, "an object", report);
            return None;
        }
        let members = value.members().filter_map(|(name, member)| {
            let name = Located { at: member.id(), value: name.to_owned() };
            T::lower(member, report).map(|member| (name, member))
        });
        Some(members.collect())
    }

    fn subject(&self) -> String {
        subject(self.node)
    }
}

/// Names an object for a sentence: by its own name or id, else by its key.
pub(crate) fn subject(node: Node<'_>) -> String {
    let own = ["name", "id"].iter().find_map(|key| node.get(key).and_then(Node::as_str));
    match (own, node.key()) {
        (Some(own), _) => format!("`{own}`"),
        (None, Some(key)) => format!("`{key}`"),
        (None, None) if node.parent().is_none() => "the manifest".to_owned(),
        (None, None) => format!("`{}`", node.pointer()),
    }
}

fn list<T: Lower>(node: Node<'_>, report: &mut Report) -> Vec<T> {
    if node.kind() != Kind::Array {
        wrong_type(node, "an array", report);
    }
    node.elements().filter_map(|element| T::lower(element, report)).collect()
}

/// Reports that a value is of another type than `expected`, which comes with its article.
pub(crate) fn wrong_type(node: Node<'_>, expected: &str, report: &mut Report) {
    let what = node.key().map_or_else(|| "this element".to_owned(), |key| format!("`{key}`"));
    let message = format!("{what} is {}, not {expected}", node.kind().with_article());
    report.find(&s002_wrong_type::RULE, node, message);
}

/// Reports a word that is not one of the known ones.
pub(crate) fn unknown_word(node: Node<'_>, word: &str, known: &[&'static str], report: &mut Report) {
    let what = node.key().map_or_else(|| "the value".to_owned(), |key| format!("`{key}`"));
    let help = closest(word, known)
        .map(|near| format!("did you mean `{near}`?"))
        .unwrap_or_else(|| format!("one of {}", listed(known)));
    report.find(&s004_unknown_word::RULE, node, format!("{what} cannot be `{word}`")).help(help);
}

/// Root keys that published maps use for people and reviewers. The lenient profile says nothing about them.
const PASSED_OVER: &[&str] = &["skill", "observed_at", "notes"];

/// An object with more keys than these does not list them in a hint.
const MOST_LISTED: usize = 6;

fn unknown_key(key: &str, value: Node<'_>, policy: Policy, keys: &[&'static str], report: &mut Report) {
    let owner = value.parent().map(subject).unwrap_or_default();
    let near = closest(key, keys);
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known keys: {}", listed(keys)),
    };
    let message = format!("{owner} does not know the key `{key}`");
    let own = match near {
        Some(near) => format!("did you mean `{near}`? If the key is your own, prefix it with `x_`"),
        None if keys.len() > MOST_LISTED => format!("prefix it with `x_` if it is your own: `x_{key}`"),
        None => format!("prefix it with `x_` if it is your own: `x_{key}`; known keys: {}", listed(keys)),
    };
    match policy {
        Policy::Closed => {
            let help = w010_unknown_field::help(key).map_or(help, str::to_owned);
            report.find(&w010_unknown_field::RULE, Spot::Key(value), message).help(help)
        }
        Policy::Strict | Policy::Open => {
            report.find(&s003_unknown_key::RULE, Spot::Key(value), message).help(own).tolerated()
        }
    };
}

/// The known word that was most likely meant by `word`.
pub(crate) fn closest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    actions_dictionary::closest(word, known.iter().copied())
}

/// The words in back quotes with commas between.
pub(crate) fn listed(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// Where a lowered value stands, for types that are lowered by hand.
pub(crate) fn at(node: Node<'_>) -> NodeId {
    node.id()
}

/// The rule for a missing key where the declaration names no other.
pub(crate) static MISSING: &Rule = &s001_missing_key::RULE;
