//! `a11y.announcements_subscribe` and `a11y.announcements_configure`: choose how announcements reach a subscriber.

use std::sync::Arc;

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::scene::Scene;
use crate::services::{Deliveries, Delivery};

#[derive(Deserialize)]
pub(crate) struct Args {
    subscriber: String,
    tab_id: Option<u64>,
    assertive: Delivery,
    polite: Delivery,
}

#[derive(Serialize)]
pub(crate) struct Output {
    subscriber: String,
    assertive: Delivery,
    polite: Delivery,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let page = match args.tab_id {
        None => Arc::clone(scene.stage.page_arc()),
        Some(id) => {
            let tabs = scene.stage.services().tabs().map(|tabs| tabs.list()).unwrap_or_default();
            let known: Vec<u64> = tabs.iter().map(|tab| tab.id).collect();
            let found = tabs.into_iter().find(|tab| tab.id == id).map(|tab| tab.page);
            found.ok_or_else(|| {
                let message = format!("no open tab of the session has the id {id}");
                Failure::new(ErrorCode::RuntimeNotFound, message).with_evidence("tabs", known)
            })?
        }
    };
    page.watch_announcements(scene.deadline).await?;
    let deliveries = Deliveries { assertive: args.assertive, polite: args.polite };
    scene.stage.memory().announcing.set(&*page, deliveries);
    Ok(Output { subscriber: args.subscriber, assertive: args.assertive, polite: args.polite })
}
