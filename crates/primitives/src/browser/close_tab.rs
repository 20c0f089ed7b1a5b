//! `browser.close_tab`: closes a tab of the session.

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};

use super::{missing, tabs};
use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    tab_id: Option<u64>,
}

#[derive(Serialize)]
pub(crate) struct Output {
    closed: bool,
    closed_tab_id: u64,
    active_tab_id: u64,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let tabs = tabs(&scene)?;
    let open = tabs.list();
    let wanted = |tab: &&crate::services::Tab| match args.tab_id {
        Some(id) => tab.id == id,
        None => tab.is_active,
    };
    let Some(tab) = open.iter().find(wanted) else {
        return Err(missing(&open, "tab_id", args.tab_id.into()));
    };
    if open.len() == 1 {
        let message = "the last tab of a session is not closed";
        return Err(Failure::new(ErrorCode::CapabilityUnavailable, message).with_evidence("tab_id", tab.id));
    }
    tab.page.close(scene.deadline).await?;
    let active = tabs.list().into_iter().find(|tab| tab.is_active);
    let active_tab_id = active.map_or(tab.id, |tab| tab.id);
    Ok(Output { closed: true, closed_tab_id: tab.id, active_tab_id })
}
