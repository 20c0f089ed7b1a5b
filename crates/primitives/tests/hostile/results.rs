//! Leaves the verdicts where the bench reads them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::browser::Kind;
use crate::topic::Judged;

/// Writes the verdicts of a topic as a JSON file of the folder `HOSTILE_RESULTS` names, if it does.
pub(crate) fn keep(topic: &str, kind: Kind, judged: &[Judged]) {
    let Some(folder) = std::env::var_os("HOSTILE_RESULTS").map(PathBuf::from) else { return };
    let verdicts: BTreeMap<&str, String> =
        judged.iter().map(|one| (one.name.as_str(), one.verdict.words())).collect();
    let text = serde_json::to_string_pretty(&verdicts).expect("verdicts are plain words");
    std::fs::create_dir_all(&folder).expect("the folder for the results can be made");
    let file = folder.join(format!("{}.{topic}.json", kind.as_str()));
    std::fs::write(file, text + "\n").expect("the results can be written");
}
