//! `browser.wait_for_navigation`: waits until the page has navigated to a matching address.

use actions_browser::Error;
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};

use super::{Arrival, arrived, load_state, within};
use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    url_contains: Option<String>,
    url_matches: Option<String>,
    wait_until: Option<String>,
    timeout_ms: Option<u64>,
}

#[derive(Serialize)]
pub(crate) struct Output {
    #[serde(flatten)]
    arrival: Arrival,
    elapsed_ms: u64,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let page = scene.page();
    let clock = scene.stage.clock();
    let start = clock.now();
    let deadline = within(&scene, args.timeout_ms);
    let until = load_state(args.wait_until.as_deref());
    let fits = |url: &str| {
        args.url_contains.as_deref().is_none_or(|part| url.contains(part))
            && args.url_matches.as_deref().is_none_or(|pattern| matches(pattern, url))
    };
    let named = args.url_contains.is_some() || args.url_matches.is_some();
    let mut navigated = actions_browser::Navigated {
        frame: page.main_frame(),
        url: page.url(),
        same_document: true,
        redirected_by_page: false,
        status: None,
    };
    let late = |error: Error| match error {
        Error::Timeout { limit, .. } => {
            Failure::new(ErrorCode::Timeout, format!("no matching navigation finished within {limit:?}"))
                .with_evidence("url", page.url())
                .with_evidence("limit_ms", limit.as_millis() as u64)
        }
        other => other.into(),
    };
    // Without an address, waits for the first navigation since the last gesture. With one, succeeds at once if the page is
    // already there.
    let mut there = named && page.navigating_to().is_none() && fits(&navigated.url);
    let mut mark = scene.stage.navigation_mark();
    if there {
        // The document may still be loading, and may navigate elsewhere meanwhile.
        page.wait_for_load(&navigated.frame, until, deadline).await.map_err(late)?;
        navigated.url = page.url();
        there = fits(&navigated.url);
    }
    while !there {
        let since = std::mem::replace(&mut mark, page.navigation_mark());
        navigated = page.wait_for_navigation(since, until, deadline).await.map_err(late)?;
        there = fits(&navigated.url);
    }
    let arrival = arrived(&scene, navigated).await?;
    let elapsed_ms = clock.now().saturating_duration_since(start).as_millis() as u64;
    Ok(Output { arrival, elapsed_ms })
}

/// Matches an address against a pattern in which `*` stands for any text. Ignores case.
fn matches(pattern: &str, url: &str) -> bool {
    let (pattern, url) = (pattern.to_lowercase(), url.to_lowercase());
    let mut pieces = pattern.split('*');
    let Some(mut rest) = url.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    let Some(last) = pieces.next_back() else { return rest.is_empty() };
    for piece in pieces {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}
