//! `browser.claimed_tabs.list`: lists the tabs of the session.

use std::time::Duration;

use actions_browser::Deadline;
use futures_util::future::join_all;
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::browser::tabs;
use crate::scene::Scene;

/// How long a tab may take to say its title.
const TITLE: Duration = Duration::from_secs(2);

/// A longer title is cut.
const LONGEST_TITLE: usize = 1_000;

#[derive(Deserialize)]
pub(crate) struct Args {}

#[derive(Serialize)]
pub(crate) struct Listed {
    runtime_id: String,
    tab_id: u64,
    url: String,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<String>,
    active: bool,
}

#[derive(Serialize)]
pub(crate) struct Output {
    count: usize,
    active_runtime_id: Option<String>,
    tabs: Vec<Listed>,
}

pub(crate) async fn perform(scene: Scene<'_>, Args {}: Args) -> Result<Output, Failure> {
    let open = tabs(&scene)?.list();
    let deadline = Deadline::after(&*scene.stage.clock(), TITLE.min(scene.left_for_the_page()));
    // A tab that crashed or shows a dialog is listed without its title.
    let titles =
        join_all(open.iter().map(|tab| async { tab.page.title(deadline).await.unwrap_or_default() }));
    let titles = titles.await;
    let active = open.iter().find(|tab| tab.is_active).map(|tab| tab.runtime_id.clone());
    let tabs: Vec<Listed> = open
        .into_iter()
        .zip(titles)
        .map(|(tab, title)| {
            let url = tab.page.url();
            Listed {
                runtime_id: tab.runtime_id,
                tab_id: tab.id,
                host: host(&url).map(str::to_owned),
                url,
                title: title.chars().take(LONGEST_TITLE).collect(),
                active: tab.is_active,
            }
        })
        .collect();
    Ok(Output { count: tabs.len(), active_runtime_id: active, tabs })
}

/// The host of an http or https address, without its port.
fn host(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let authority = authority.rsplit('@').next().unwrap_or_default();
    match authority.strip_prefix('[') {
        Some(address) => address.split(']').next(),
        None => authority.split(':').next(),
    }
}
