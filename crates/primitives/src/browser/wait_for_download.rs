//! `browser.wait_for_download`: waits for a download and saves it into the folder of the caller.

use std::time::Duration;

use actions_browser::{Deadline, Download, DownloadState, PageEvent};
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::broadcast::Receiver;

use super::within;
use crate::Failure;
use crate::scene::Scene;
use crate::services::{Saved, Unsaved, save};

#[derive(Deserialize)]
pub(crate) struct Args {
    url_contains: Option<String>,
    name_contains: Option<String>,
    max_bytes: u64,
    timeout_ms: u64,
}

#[derive(Serialize)]
pub(crate) struct Output {
    downloaded: bool,
    name: String,
    suggested_name: String,
    url: String,
    size_bytes: u64,
    sha256: String,
    elapsed_ms: u64,
}

/// How much of an address or a name is returned. A page may download from an address that holds the whole file.
const LONGEST_TEXT: usize = 4_000;

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let Some(folder) = scene.stage.permits().download_to.clone() else {
        let message = "the session has no folder that downloads are saved to";
        return Err(Failure::new(ErrorCode::DownloadDenied, message));
    };
    let start = scene.stage.clock().now();
    let deadline = within(&scene, Some(args.timeout_ms));
    let download = ended(&scene, &args, deadline).await?;
    scene.stage.memory().downloads.take(&download);
    let about = |failure: Failure| {
        failure
            .with_evidence("url", shown(&download.url))
            .with_evidence("suggested_name", shown(&download.suggested_name))
    };
    let file = match download.state.clone() {
        DownloadState::Completed(Some(file)) => file,
        DownloadState::TooLarge { max_bytes } => return Err(about(too_large(max_bytes))),
        _ => return Err(about(Failure::new(ErrorCode::DownloadFailed, "the download broke off"))),
    };
    let (suggested, max_bytes) = (download.suggested_name.clone(), args.max_bytes);
    // Copying takes as long as the disk does.
    let copying = tokio::task::spawn_blocking(move || {
        let saved = save(&file, &suggested, &folder, max_bytes);
        // The browser's copy has served its purpose.
        drop(std::fs::remove_file(&file));
        saved
    });
    let clock = scene.stage.clock();
    let saved = tokio::select! {
        biased;
        saved = copying => saved,
        () = clock.sleep_until(scene.deadline.at()) => {
            let message = "the download is complete, but its file was not saved in time";
            return Err(about(Failure::new(ErrorCode::Timeout, message)));
        }
    };
    let saved = saved.map_err(|error| Failure::new(ErrorCode::InternalError, error.to_string()))?;
    let Saved { name, size_bytes, sha256 } =
        saved.map_err(|unsaved| about(unsaved_as(unsaved, max_bytes)))?;
    Ok(Output {
        downloaded: true,
        name,
        suggested_name: shown(&download.suggested_name),
        url: shown(&download.url),
        size_bytes,
        sha256,
        elapsed_ms: clock.now().saturating_duration_since(start).as_millis() as u64,
    })
}

/// Waits until a download that fits and that no call has returned has ended: the first one that does.
async fn ended(scene: &Scene<'_>, args: &Args, deadline: Deadline) -> Result<Download, Failure> {
    // Subscribed before the downloads are looked at, so that no end goes unnoticed.
    let mut events = scene.page().events();
    let fits = |download: &Download| {
        args.url_contains.as_deref().is_none_or(|part| download.url.contains(part))
            && args.name_contains.as_deref().is_none_or(|part| download.suggested_name.contains(part))
    };
    loop {
        let downloads = scene.page().downloads()?.into_iter();
        let (new, other): (Vec<_>, Vec<_>) =
            downloads.filter(|one| scene.stage.memory().downloads.is_new(one)).partition(fits);
        if let Some(ended) = new.iter().find(|one| one.state != DownloadState::Begun) {
            return Ok(ended.clone());
        }
        if !changed(scene, &mut events, deadline).await {
            let message = match new.is_empty() {
                true => "no download that fits began in time",
                false => "the download did not end in time",
            };
            return Err(Failure::new(ErrorCode::Timeout, message)
                .with_evidence("underway", names(&new))
                .with_evidence("other_downloads", names(&other))
                .with_evidence("limit_ms", deadline.limit().as_millis() as u64));
        }
    }
}

/// How often the page is looked at if no event comes. Events can be missed when many arrive.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// Waits for the next event of the page that may concern a download. False at the deadline.
async fn changed(scene: &Scene<'_>, events: &mut Receiver<PageEvent>, deadline: Deadline) -> bool {
    let clock = scene.stage.clock();
    if clock.now() >= deadline.at() {
        return false;
    }
    let over = clock.sleep_until(deadline.at().min(clock.now() + LOOK_AGAIN));
    tokio::pin!(over);
    loop {
        let event = tokio::select! {
            biased;
            event = events.recv() => event,
            () = &mut over => return true,
        };
        match event {
            Ok(
                PageEvent::Download(_) | PageEvent::DialogOpened(_) | PageEvent::Closed | PageEvent::Crashed,
            )
            | Err(_) => return true,
            Ok(_) => {}
        }
    }
}

fn unsaved_as(unsaved: Unsaved, max_bytes: u64) -> Failure {
    match unsaved {
        Unsaved::TooLarge => too_large(max_bytes),
        Unsaved::Unreadable(error) => Failure::new(
            ErrorCode::DownloadFailed,
            format!("the browser has no file of the download that can be read here: {error}"),
        ),
        Unsaved::Unwritable(error) => Failure::new(
            ErrorCode::DownloadFailed,
            format!("the download cannot be written into the folder of the session: {error}"),
        ),
    }
}

fn too_large(max_bytes: u64) -> Failure {
    let message = format!("the download has more than {max_bytes} bytes; nothing of it was saved");
    Failure::new(ErrorCode::PayloadTooLarge, message).with_evidence("max_bytes", max_bytes)
}

fn names(downloads: &[Download]) -> Value {
    downloads
        .iter()
        .map(|one| json!({ "suggested_name": shown(&one.suggested_name), "url": shown(&one.url) }))
        .collect()
}

fn shown(text: &str) -> String {
    text.chars().take(LONGEST_TEXT).collect()
}
