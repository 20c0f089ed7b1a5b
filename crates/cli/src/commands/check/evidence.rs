//! Keeps evidence of failures in a folder: pictures, and what the checks stored.

use std::collections::BTreeMap;
use std::path::Path;

use actions_drift::{CheckResult, Status};
use actions_engine::CallError;
use actions_protocol::ErrorCode;
use serde_json::json;

use crate::output_file::OutputFile;

/// Writes the pictures of one map and the evidence of its failures. A picture of a page without failures becomes the last
/// good one, which is kept beside the next bad one.
pub(super) fn keep(
    folder: &Path,
    map: &Path,
    results: &mut [CheckResult],
    pictures: &BTreeMap<String, Vec<u8>>,
) -> Result<(), CallError> {
    let folder = folder.join(slug(&map.display().to_string()));
    for (page, picture) in pictures {
        let on_page = |result: &&mut CheckResult| result.url == *page;
        let page_folder = folder.join(slug(page.split_once("://").map_or(page, |(_, rest)| rest)));
        let failing: Vec<&mut CheckResult> =
            results.iter_mut().filter(on_page).filter(|result| result.status != Status::Passed).collect();
        let name = if failing.is_empty() { "good.png" } else { "now.png" };
        write(&page_folder.join(name), picture)?;
        let good = page_folder.join("good.png");
        for result in failing {
            let now = page_folder.join("now.png").display().to_string();
            result.evidence.insert("screenshot".to_owned(), json!(now));
            if good.is_file() {
                result.evidence.insert("screenshot_before".to_owned(), json!(good.display().to_string()));
            }
        }
    }
    for result in results.iter().filter(|result| result.status == Status::Failed) {
        let file = folder.join(format!("{}.json", slug(&result.check_id)));
        write(&file, format!("{:#}\n", json!(result)).as_bytes())?;
    }
    Ok(())
}

fn write(path: &Path, content: &[u8]) -> Result<(), CallError> {
    let kept = OutputFile::create_with_folders(path).and_then(|file| file.keep(content));
    kept.map_err(|error| {
        CallError::new(ErrorCode::WrongUsage, format!("{}: {error}", path.display()))
            .with_evidence("hint", "`--evidence` needs a writable folder")
    })
}

/// A name of a file for any text.
fn slug(text: &str) -> String {
    let kept: String = text
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' })
        .take(120)
        .collect();
    let kept = kept.trim_matches(['-', '.']).to_owned();
    if kept.is_empty() { "start".to_owned() } else { kept }
}
