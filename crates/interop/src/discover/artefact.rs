//! What discovery found at a place.

use serde::Serialize;

use crate::classify::System;

/// What is at a place where a site may publish something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// A document of the system, and it can be used.
    Ok,
    /// A document of the system that cannot be used.
    Invalid,
    /// Nothing.
    Absent,
    /// The site could not be asked.
    Unreachable,
    /// A document of something else.
    NotThisSystem,
}

impl Status {
    /// The word that commands use.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Invalid => "invalid",
            Status::Absent => "absent",
            Status::Unreachable => "unreachable",
            Status::NotThisSystem => "not-this-system",
        }
    }
}

/// What discovery found at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Artefact {
    /// The system that was looked for.
    pub system: System,
    /// The place.
    pub url: String,
    /// What is there.
    pub status: Status,
    /// The version or dialect that the document names.
    pub version: Option<String>,
    /// How many tools it offers.
    pub tools: Option<usize>,
    /// What is odd about it.
    pub warnings: Vec<String>,
}

impl Artefact {
    /// A place with nothing known about it.
    pub(super) fn at(system: System, url: impl Into<String>, status: Status) -> Self {
        Self { system, url: url.into(), status, version: None, tools: None, warnings: Vec::new() }
    }

    /// Adds a warning.
    pub(super) fn warn(mut self, warning: impl Into<String>) -> Self {
        self.warnings.push(warning.into());
        self
    }
}
