//! `browser.claimed_tabs.activate`: brings a tab to the front and makes it the one that calls run on.

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::browser::{missing, tabs};
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    tab_id: u64,
}

#[derive(Serialize)]
pub(crate) struct Output {
    activated: bool,
    tab_id: u64,
    runtime_id: String,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let tabs = tabs(&scene)?;
    let open = tabs.list();
    let Some(tab) = open.iter().find(|tab| tab.id == args.tab_id) else {
        return Err(missing(&open, "tab_id", args.tab_id.into()));
    };
    tab.page.bring_to_front(scene.deadline).await?;
    let tab = tabs.activate(tab.id).ok_or_else(|| missing(&tabs.list(), "tab_id", args.tab_id.into()))?;
    Ok(Output { activated: true, tab_id: tab.id, runtime_id: tab.runtime_id })
}
