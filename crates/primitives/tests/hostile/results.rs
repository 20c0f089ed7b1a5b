//! Writes the verdicts to files.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::browser::Kind;
use crate::topic::Judged;

/// Writes the verdicts of a topic as a JSON file to the folder in `HOSTILE_RESULTS`, if it is set.
pub(crate) fn keep(topic: &str, kind: Kind, judged: &[Judged]) {
    let Some(folder) = std::env::var_os("HOSTILE_RESULTS").map(PathBuf::from) else { return };
    let verdicts: BTreeMap<&str, String> =
        judged.iter().map(|one| (one.name.as_str(), one.verdict.words())).collect();
    let text = serde_json::to_string_pretty(&verdicts).expect("verdicts are plain words");
    std::fs::create_dir_all(&folder).expect("the folder for the results can be made");
    let binary = match kind {
        Kind::HeadlessShell => "chromium-headless-shell",
        Kind::Chromium => "chromium",
    };
    let file = folder.join(format!("{binary}.{topic}.json"));
    std::fs::write(file, text + "\n").expect("the results can be written");
}
