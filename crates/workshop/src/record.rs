//! `cargo xtask record`: the recordings of the example sites, from the pages in `fixtures/sites`.
//!
//! `sites/**/recordings/calls.json` names the calls. Each runs against a server on this machine. The recording
//! has the address of the site instead of the address of that server, and nothing in it differs from run to run: a
//! recording changes only when its site or the recorder does.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};

use actions_testserver::LocalSite;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::failure::Failure;

/// The maps of the example sites.
const SITES: &str = "sites";

/// One call to be recorded.
#[derive(Deserialize)]
struct Call {
    har: String,
    tool: String,
    path: String,
    input: Value,
}

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(argument) = arguments.first() {
        return Err(Failure::unknown_argument(argument, "cargo xtask record"));
    }
    let mut lists = Vec::new();
    find(Path::new(SITES), &mut lists)?;
    lists.sort();
    // Cargo puts the programs of the workspace into one folder.
    let here = env::current_exe().map_err(file(Path::new("workshop")))?;
    let actions = here.with_file_name("actions");
    lists.iter().try_for_each(|list| record_all(list, &actions))
}

/// Finds every list of calls below a folder.
fn find(folder: &Path, lists: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let entries = fs::read_dir(folder).map_err(file(folder))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            find(&path, lists)?;
        } else if path.ends_with("recordings/calls.json") {
            lists.push(path);
        }
    }
    Ok(())
}

/// Records every call of one map.
fn record_all(list: &Path, actions: &Path) -> Result<(), Failure> {
    let text = fs::read_to_string(list).map_err(file(list))?;
    let calls: Vec<Call> = serde_json::from_str(&text).map_err(io::Error::other).map_err(file(list))?;
    let recordings = list.parent().unwrap_or(list);
    let below = recordings.parent().and_then(|map| map.strip_prefix(SITES).ok());
    let mut names = below.into_iter().flat_map(Path::iter).map(|name| name.to_string_lossy().into_owned());
    let host = names.next().unwrap_or_default();
    let surface: PathBuf = names.collect();

    let runtime = tokio::runtime::Runtime::new().map_err(file(list))?;
    let site = runtime.block_on(LocalSite::serve(Path::new("."), &host)).map_err(file(list))?;
    let map = site.map(&surface.to_string_lossy());
    let scratch = tempfile::tempdir().map_err(file(list))?;
    for call in &calls {
        let har = scratch.path().join(&call.har);
        let (url, input) = (site.server().url(&call.path), call.input.to_string());
        let mut record = Command::new(actions);
        record.arg("record").arg(&map).arg(&call.tool).arg("--har").arg(&har);
        record.args(["--url", &url, "--input", &input, "--no-lock", "-q"]);
        let status = record.stdin(Stdio::null()).stdout(Stdio::null()).status().map_err(file(actions))?;
        if !status.success() {
            return Err(Failure::NotRecorded {
                tool: call.tool.clone(),
                har: recordings.join(&call.har),
                status,
            });
        }
        let recorded = fs::read_to_string(&har).map_err(file(&har))?;
        let recorded = recorded.replace(&site.server().origin(), site.origin());
        let kept = recordings.join(&call.har);
        fs::write(&kept, steady(&recorded).map_err(file(&har))?).map_err(file(&kept))?;
        println!("    {} is recorded", kept.display());
    }
    Ok(())
}

/// Removes from a recording what differs between runs.
fn steady(recording: &str) -> io::Result<String> {
    let mut har: Value = serde_json::from_str(recording)?;
    for entry in har["log"]["entries"].as_array_mut().into_iter().flatten() {
        entry["startedDateTime"] = json!("1970-01-01T00:00:00.000Z");
        entry["request"]["headers"] = json!([]);
    }
    if let Some(entries) = har["log"]["entries"].as_array_mut() {
        // Parallel requests arrive in any order, so requests are sorted; repeated requests keep their order.
        entries.sort_by_key(|entry| entry["request"]["url"].to_string());
        *entries = without_repeated_ends(std::mem::take(entries));
    }
    Ok(serde_json::to_string_pretty(&har)? + "\n")
}

/// Drops repeated responses to safe requests: replay serves the last one as often as it is requested.
fn without_repeated_ends(entries: Vec<Value>) -> Vec<Value> {
    let mut kept: Vec<Value> = Vec::new();
    let mut entries = entries.into_iter().peekable();
    while let Some(entry) = entries.next() {
        let ends = entries.peek().is_none_or(|next| next["request"] != entry["request"]);
        kept.push(entry);
        while let [.., before, last] = kept.as_slice()
            && ends
            && before == last
            && last["request"]["method"] == "GET"
        {
            kept.pop();
        }
    }
    kept
}

fn file(path: &Path) -> impl Fn(io::Error) -> Failure {
    let path = path.to_path_buf();
    move |source| Failure::File { path: path.clone(), source }
}
