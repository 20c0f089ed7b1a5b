//! `runtime.session.finalize_tabs`: leaves the tabs of the session to the person they belong to.

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {}

#[derive(Serialize)]
pub(crate) struct Output {
    tab_count: usize,
}

pub(crate) async fn perform(scene: Scene<'_>, _: Args) -> Result<Output, Failure> {
    let tabs = scene.stage.services().tabs().map(|tabs| tabs.list()).unwrap_or_default();
    if let Some(active) = tabs.iter().find(|tab| tab.is_active) {
        active.page.bring_to_front(scene.deadline).await?;
    }
    Ok(Output { tab_count: tabs.len() })
}
