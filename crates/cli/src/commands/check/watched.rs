//! The state file of scheduled checks.

use std::path::Path;

use actions_drift::{CheckResult, News};
use actions_engine::CallError;
use actions_protocol::ErrorCode;
use serde_json::json;

use crate::output_file::OutputFile;

/// The largest state file that is read.
const LARGEST: u64 = 256 << 20;

/// A state file, read, and reserved for writing.
#[derive(Debug)]
pub(super) struct Watched {
    news: News,
    file: OutputFile,
}

impl Watched {
    /// Reads the state file. One that is not there knows nothing.
    pub(super) fn open(path: &Path) -> Result<Self, CallError> {
        let unusable = |problem: String| {
            CallError::new(ErrorCode::WrongUsage, format!("{}: {problem}", path.display())).with_evidence(
                "hint",
                "nothing was checked; `--state` needs a file that `actions check` wrote, or a new one",
            )
        };
        let file = OutputFile::create(path).map_err(|error| unusable(error.to_string()))?;
        let news = match std::fs::metadata(path) {
            Err(_) => News::default(),
            Ok(there) if there.len() > LARGEST => return Err(unusable("it is too large".to_owned())),
            Ok(_) => {
                let text = std::fs::read_to_string(path).map_err(|error| unusable(error.to_string()))?;
                News::parse(&text).map_err(|error| unusable(format!("it is no state file: {error}")))?
            }
        };
        Ok(Self { news, file })
    }

    /// Takes in results, adds since when each ends as it does, and writes the file. Returns only the news if that is
    /// wanted.
    pub(super) fn take(
        mut self,
        results: Vec<CheckResult>,
        only_changes: bool,
    ) -> Result<Vec<CheckResult>, CallError> {
        let mut shown = Vec::with_capacity(results.len());
        for of_map in results.chunk_by(|one, other| one.map == other.map) {
            let judged = self.news.take(&of_map[0].map, of_map);
            for (result, (is_news, since)) in of_map.iter().zip(judged) {
                let mut result = result.clone();
                result.evidence.insert("since".to_owned(), json!(since));
                if is_news || !only_changes {
                    shown.push(result);
                }
            }
        }
        self.file.keep_shared(self.news.to_text().as_bytes()).map_err(|error| {
            CallError::new(ErrorCode::WrongUsage, format!("the state file was not written: {error}"))
        })?;
        Ok(shown)
    }
}
