//! `a11y.events.read`: reads the announcements that were collected.

use actions_browser::Announcement;
use actions_protocol::Timestamp;
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::scene::Scene;
use crate::services::Delivery;

#[derive(Deserialize)]
pub(crate) struct Args {
    #[serde(default)]
    since: u64,
    limit: usize,
}

#[derive(Serialize)]
pub(crate) struct Output {
    announcements: Vec<Heard>,
    next_cursor: u64,
}

#[derive(Serialize)]
struct Heard {
    text: String,
    politeness: &'static str,
    observed_at: Timestamp,
}

impl From<Announcement> for Heard {
    fn from(announcement: Announcement) -> Self {
        Self {
            politeness: if announcement.is_assertive { "assertive" } else { "polite" },
            observed_at: Timestamp::from_unix_millis(announcement.heard_ms),
            text: announcement.text,
        }
    }
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let page = scene.page();
    // Its answer shows that the page lives, and that what its scripts have announced so far has arrived.
    let _: serde_json::Value = scene.read_in(&page.main_frame(), "page.info", &serde_json::json!({})).await?;
    let deliveries = scene.stage.memory().announcing.of(page);
    let mut next_cursor = args.since;
    let mut announcements = Vec::new();
    for announcement in page.announcements(args.since) {
        let is_kept = deliveries.of(&announcement) != Delivery::Off;
        if is_kept && announcements.len() == args.limit {
            break;
        }
        next_cursor = announcement.number + 1;
        if is_kept {
            announcements.push(announcement.into());
        }
    }
    Ok(Output { announcements, next_cursor })
}
