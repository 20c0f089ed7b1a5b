//! `browser.open_tab`: opens an address in a new tab of the session.

use std::time::Duration;

use actions_browser::{Deadline, LoadState};
use serde::{Deserialize, Serialize};

use super::navigate::address;
use super::{tabs, within};
use crate::Failure;
use crate::scene::Scene;
use crate::services::Tab;

/// How long closing a tab that did not load may take.
const CLOSING: Duration = Duration::from_secs(2);

#[derive(Deserialize)]
pub(crate) struct Args {
    url: Option<String>,
    #[serde(default = "yes")]
    active: bool,
    timeout_ms: Option<u64>,
    #[serde(default)]
    allow_http_error: bool,
}

fn yes() -> bool {
    true
}

#[derive(Serialize)]
pub(crate) struct Output {
    opened: bool,
    tab_id: u64,
    runtime_id: String,
    url: String,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let tabs = tabs(&scene)?;
    // A relative address is resolved by the page of the call, before a tab is opened.
    let url = match &args.url {
        Some(url) => Some(address(&scene, url).await?),
        None => None,
    };
    let deadline = within(&scene, args.timeout_ms);
    let tab = tabs.open(deadline).await?;
    if let Some(url) = &url
        && let Err(failure) = load(&tab, url, args.allow_http_error, deadline).await
    {
        let closing = Deadline::after(&*scene.stage.clock(), CLOSING);
        // The tab shows nothing that was asked for; the failure says why.
        let _ = tab.page.close(closing).await;
        return Err(failure);
    }
    if args.active {
        tabs.activate(tab.id);
    }
    Ok(Output { opened: true, tab_id: tab.id, url: tab.page.url(), runtime_id: tab.runtime_id })
}

async fn load(tab: &Tab, url: &str, allow_http_error: bool, deadline: Deadline) -> Result<(), Failure> {
    let navigated = tab.page.navigate(url, LoadState::Load, deadline).await?;
    if !allow_http_error {
        navigated.refuse_http_error()?;
    }
    Ok(())
}
