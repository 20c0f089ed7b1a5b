//! `browser.active_tab.set`: chooses the tab that calls run on by default.

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::browser::{missing, tabs};
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    runtime_id: String,
}

#[derive(Serialize)]
pub(crate) struct Output {
    active_runtime_id: String,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let tabs = tabs(&scene)?;
    let open = tabs.list();
    let wanted = open.iter().find(|tab| tab.runtime_id == args.runtime_id);
    let tab = wanted.and_then(|tab| tabs.activate(tab.id));
    let tab = tab.ok_or_else(|| missing(&open, "runtime_id", args.runtime_id.into()))?;
    Ok(Output { active_runtime_id: tab.runtime_id })
}
