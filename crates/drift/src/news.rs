//! What has changed since the last check: the state file of scheduled checks.

use std::collections::BTreeMap;

use actions_protocol::Timestamp;
use serde::{Deserialize, Serialize};

use crate::result::CheckResult;
use crate::status::Status;

/// The version of the format.
const VERSION: u32 = 1;

/// How every check ended last, and since when it ends so.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct News {
    version: u32,
    maps: BTreeMap<String, BTreeMap<String, Since>>,
}

/// How a check ended, and since when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Since {
    /// How it ended.
    pub status: Status,
    /// The code of its error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// When it first ended so.
    pub since: Timestamp,
}

impl News {
    /// Reads a state file.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        let news: Self = serde_json::from_str(text)?;
        if news.version == VERSION {
            return Ok(news);
        }
        let message = format!("version {} of the format; this program knows version {VERSION}", news.version);
        Err(serde::de::Error::custom(message))
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let news = Self { version: VERSION, ..self.clone() };
        serde_json::to_string_pretty(&news).map(|text| text + "\n").unwrap_or_default()
    }

    /// Takes in the results of a check of one map. Returns for each result whether it is news, and since when it ends so. A
    /// check that passes and was never known to end otherwise is no news.
    pub fn take(&mut self, map: &str, results: &[CheckResult]) -> Vec<(bool, Timestamp)> {
        let before = self.maps.remove(map).unwrap_or_default();
        let mut now = BTreeMap::new();
        let mut judged = Vec::with_capacity(results.len());
        for result in results {
            let code = result.error.as_ref().map(|error| error.code.to_string());
            let known = before.get(&result.check_id);
            let same = known.filter(|known| known.status == result.status && known.code == code);
            let since = same.map_or_else(|| result.observed_at.clone(), |known| known.since.clone());
            let is_fine = matches!(result.status, Status::Passed | Status::Skipped);
            let was_fine = known.is_none_or(|known| matches!(known.status, Status::Passed | Status::Skipped));
            judged.push((same.is_none() && !(is_fine && was_fine), since.clone()));
            now.insert(result.check_id.clone(), Since { status: result.status, code, since });
        }
        self.maps.insert(map.to_owned(), now);
        judged
    }
}
