//! What sites publish for agents: fetched, translated, and used as maps without a file.

use std::path::Path;
use std::time::Duration;

use actions_engine::CallError;
use actions_interop::classify::System;
use actions_interop::fetch::Client;
use actions_interop::identity::Identity;
use actions_interop::import::{Imported, Wishes, live};
use actions_manifest::{CheckedManifest, Options, Profile, validate};
use actions_protocol::ErrorCode;

use crate::failure::{Around, explain};
use crate::findings;
use crate::live_session::block_on;
use crate::output::note;
use crate::text::line;

/// The time that a command takes to learn what a site publishes, if it does not say.
const USUAL: Duration = Duration::from_secs(30);

/// Whether an argument is an address and not a path.
pub(crate) fn is_address(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    text.starts_with("https://") || text.starts_with("http://")
}

/// A path that is an address, as clap parses the argument of a map.
pub(crate) fn address_of(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| is_address(text))
}

/// The document at an address as a map, or the best one that its site publishes.
pub(crate) fn import(address: &str, wishes: &Wishes, time: Duration) -> Result<Imported, CallError> {
    let client = Client::new(Identity::default()).map_err(CallError::from)?;
    block_on(async {
        let found = tokio::time::timeout(time, live::import(&client, address, wishes));
        found.await.unwrap_or_else(|_| Err(live::LiveError::TimedOut { limit: time })).map_err(|error| {
            findings::human::print(error.findings());
            CallError::from(&error)
        })
    })
}

/// The name of a tool of a map, which may be given without the namespace of a site.
pub(crate) fn exposed(manifest: &CheckedManifest, name: &str) -> String {
    let tools = || manifest.tools().map(|tool| tool.name.to_string());
    if tools().any(|tool| tool == name) {
        return name.to_owned();
    }
    let behind = |tool: &String| tool.split_once('.').is_some_and(|(_, rest)| rest == name);
    tools().find(behind).unwrap_or_else(|| name.to_owned())
}

/// A map of what the site at an address publishes that has a tool. Systems are tried in the order of preference. The error is
/// printed.
pub(crate) fn map(
    address: &str,
    profile: Profile,
    tool: &str,
    time: Option<Duration>,
) -> Result<CheckedManifest, CallError> {
    let found = all(address, profile, time)?;
    let tools = |map: &CheckedManifest| map.tools().map(|tool| tool.name.to_string()).collect::<Vec<_>>();
    let names: Vec<String> = found.iter().flat_map(tools).collect();
    let chosen = found.into_iter().find(|map| tools(map).contains(&exposed(map, tool)));
    chosen.ok_or_else(|| {
        let message = format!("nothing that {address} publishes has the tool `{tool}`");
        let error = CallError::new(ErrorCode::UnknownAction, message).with_evidence("tools", names);
        explain(&error, Around::default());
        error
    })
}

/// The maps of what the site at an address publishes, in the order of preference. The error is printed.
pub(crate) fn all(
    address: &str,
    profile: Profile,
    time: Option<Duration>,
) -> Result<Vec<CheckedManifest>, CallError> {
    find(address, profile, time.unwrap_or(USUAL)).inspect_err(|error| explain(error, Around::default()))
}

fn find(address: &str, profile: Profile, time: Duration) -> Result<Vec<CheckedManifest>, CallError> {
    let wishes = Wishes::default();
    let client = Client::new(Identity::default()).map_err(CallError::from)?;
    let found = block_on(async {
        let found = tokio::time::timeout(time, live::maps(&client, address, &wishes)).await;
        let found = found.unwrap_or_else(|_| Err(live::LiveError::TimedOut { limit: time }));
        found.map_err(|error| CallError::from(&error))
    })?;
    let mut maps = Vec::new();
    for published in &found {
        let bytes = published.map.to_string();
        // A map of the site's own is held to the profile of the caller; ours are valid.
        let profile = if published.system == System::Actions { profile } else { Profile::Strict };
        let validation =
            validate(&published.name, bytes.as_bytes(), &Options { profile, ..Options::default() });
        match validation.manifest {
            Some(manifest) => maps.push(manifest),
            None => note(format_args!("warning: {} is not valid, and is passed over", line(&published.name))),
        }
    }
    if maps.is_empty() {
        let message = format!("{address} publishes nothing for agents that can be called");
        return Err(CallError::new(ErrorCode::ManifestNotFound, message)
            .with_evidence("hint", format!("`actions discover {address}` lists what was looked for")));
    }
    Ok(maps)
}
