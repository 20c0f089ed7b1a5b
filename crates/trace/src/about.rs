//! `trace.json`: which call a trace records.

use actions_protocol::{CallId, SafeName, Timestamp};
use serde::{Deserialize, Serialize};

use crate::version::{FORMAT, Version};

/// What is known about a call before it begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct About {
    /// The name of the format.
    pub trace: String,
    /// The version of the format.
    #[serde(flatten)]
    pub version: Version,
    /// The version of the engine that recorded the call.
    pub engine: String,
    /// The call.
    pub call_id: CallId,
    /// The tool it calls.
    pub tool: SafeName,
    /// When it began.
    pub started_at: Timestamp,
    /// The digest of the map that was loaded; the same as that of the first of `maps`.
    pub manifest_digest: Option<String>,
    /// The map and its imports.
    pub maps: Vec<MapDigest>,
}

/// A map, and a digest of its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapDigest {
    /// The file name or address of the map.
    pub name: String,
    /// `sha256:` and the digest in hexadecimal.
    pub digest: String,
}

impl About {
    /// Describes a call in the current version of the format.
    pub fn new(
        engine: &str,
        call_id: CallId,
        tool: SafeName,
        started_at: Timestamp,
        maps: Vec<MapDigest>,
    ) -> Self {
        Self {
            trace: FORMAT.to_owned(),
            version: Version::CURRENT,
            engine: engine.to_owned(),
            call_id,
            tool,
            started_at,
            manifest_digest: maps.first().map(|map| map.digest.clone()),
            maps,
        }
    }
}
