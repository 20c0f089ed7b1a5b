//! `actions session list`: lists the sessions of this user with their pages.

use std::path::Path;

use actions_engine::CallError;
use actions_protocol::Exit;
use actions_runtime::SessionInfo;
use clap::ValueEnum;
use serde_json::{Value, json};

use crate::background::{Place, all, info};
use crate::failure::{Around, explain};
use crate::live_session::block_on;
use crate::output::{self, note, result};
use crate::text::{columns, line};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// One JSON array
    Json,
}

/// A session, or why it does not answer.
type Found = (Place, Result<(u32, SessionInfo), CallError>);

pub(super) fn run(arguments: &Arguments) -> Exit {
    let found = match block_on(find()) {
        Ok(found) => found,
        Err(error) => {
            explain(&error, Around::default());
            return error.exit();
        }
    };
    match arguments.format {
        Format::Json => output::json(&found.iter().map(as_json).collect::<Vec<_>>()),
        Format::Human => human(&found),
    }
    Exit::Done
}

async fn find() -> Result<Vec<Found>, CallError> {
    let mut found = Vec::new();
    for place in all()? {
        let described = info(&place).await;
        found.push((place, described));
    }
    Ok(found)
}

fn as_json((place, described): &Found) -> Value {
    match described {
        Ok((pid, info)) => {
            let mut listed = json!({ "name": info.name, "pid": pid });
            if let (Some(listed), Value::Object(more)) = (listed.as_object_mut(), json!(info)) {
                listed.extend(more);
            }
            listed
        }
        Err(error) => {
            let pid = place.occupant().map(|occupant| occupant.pid);
            json!({ "name": place.name, "pid": pid, "maps": [], "pages": [], "error": error.to_error_object() })
        }
    }
}

fn human(found: &[Found]) {
    if found.is_empty() {
        note("no session is open; `actions session start NAME MAP` starts one");
    }
    for (place, described) in found {
        match described {
            Ok((pid, info)) => {
                let maps: Vec<String> = info.maps.iter().map(|map| line(&shown(map))).collect();
                let last = info.last_used_at.as_str();
                result(format!("{}  process {pid}, last used {last}, {}", line(&info.name), maps.join(", ")));
                if let Some(lost) = &info.lost {
                    result(format!("  its browser is gone: {}", line(lost)));
                }
                page_lines(info).into_iter().for_each(|row| result(format!("  {row}")));
            }
            Err(error) => result(format!("{}  does not answer: {}", line(&place.name), line(&error.message))),
        }
    }
}

/// A path, without the folder of this command.
fn shown(map: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    Path::new(map).strip_prefix(&here).map_or_else(|_| map.to_owned(), |path| path.display().to_string())
}

/// The pages of a session, a line each.
pub(super) fn page_lines(info: &SessionInfo) -> Vec<String> {
    let row = |page: &actions_runtime::PageInfo| {
        let mark = if page.current { "*" } else { "" };
        vec![line(&page.runtime_id), mark.to_owned(), line(&page.url), line(&page.title)]
    };
    columns(&info.pages.iter().map(row).collect::<Vec<_>>()).lines().map(str::to_owned).collect()
}
