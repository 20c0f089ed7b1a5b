//! What of an element is remembered.

use std::collections::BTreeMap;

use actions_primitives::Fingerprint;
use serde::{Deserialize, Serialize};

use crate::target::digest;

/// Roles of elements that are called by what they do. Another name means that they do something else.
const OPERABLE: &[&str] = &[
    "button",
    "checkbox",
    "combobox",
    "link",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "option",
    "radio",
    "searchbox",
    "slider",
    "spinbutton",
    "switch",
    "tab",
    "textbox",
];

/// Whether an element of this role is called by what it does.
pub(crate) fn is_operable(role: &str) -> bool {
    OPERABLE.contains(&role)
}

/// What of an element is remembered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Mark {
    pub(crate) tag: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) role: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) name: String,
    /// The digest of its text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) text: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) attributes: BTreeMap<String, String>,
    pub(crate) path: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) near: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) holds: Vec<String>,
    /// What differed between two looks at the same page, and is therefore not compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) varies: Vec<String>,
}

impl Mark {
    /// What is remembered of an element.
    pub(crate) fn of(seen: &Fingerprint) -> Self {
        let has_content_name = is_operable(&seen.role) || seen.role == "heading";
        let names_its_content = !has_content_name && !seen.name.is_empty() && seen.name == seen.text;
        Self {
            tag: seen.tag.clone(),
            role: seen.role.clone(),
            name: if names_its_content { String::new() } else { seen.name.clone() },
            text: if seen.text.is_empty() { String::new() } else { digest(&seen.text) },
            attributes: seen.attributes.clone(),
            path: seen.path.clone(),
            near: seen.near.clone(),
            holds: seen.holds.clone(),
            varies: Vec::new(),
        }
    }

    /// Whether this part differed between two looks.
    pub(crate) fn varies(&self, part: &str) -> bool {
        self.varies.iter().any(|each| each == part)
    }

    /// Drops what differs between two looks at one page.
    pub(crate) fn steadied(mut self, other: &Self) -> Self {
        let mut varies = Vec::new();
        let mut vary = |differs: bool, part: &str| {
            if differs {
                varies.push(part.to_owned());
            }
            differs
        };
        if vary(self.name != other.name, "name") {
            self.name.clear();
        }
        if vary(self.text != other.text, "text") {
            self.text.clear();
        }
        if vary(self.near != other.near, "near") {
            self.near.retain(|each| other.near.contains(each));
        }
        if vary(self.holds != other.holds, "holds") {
            self.holds.retain(|each| other.holds.contains(each));
        }
        if vary(self.attributes != other.attributes, "attributes") {
            self.attributes.retain(|key, value| other.attributes.get(key) == Some(value));
        }
        self.varies = varies;
        self
    }
}
