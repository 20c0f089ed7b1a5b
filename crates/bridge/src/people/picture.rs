//! Pictures of pages, taken rarely and never in the way of a call on another page.

use std::time::{Duration, Instant};

use actions_engine::browser::{Deadline, ImageFormat, Screenshot};
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use super::Room;

/// A younger picture is shown again.
const FRESH: Duration = Duration::from_millis(700);

/// How long a picture may take.
const TAKING: Duration = Duration::from_secs(3);

pub(super) async fn picture(
    State(room): State<Room>,
    Path(id): Path<String>,
) -> Result<Response, StatusCode> {
    let id = super::runtime(&id)?;
    let shared = &room.bridge.shared;
    let served = shared.served().get(&id).cloned().ok_or(StatusCode::NOT_FOUND)?;
    let kept = shared.pictures.of(&id);
    let mut kept = kept.lock().await;
    // Taking a picture brings a page to the front, which would disturb a call on another one.
    let is_disturbing = shared.served().values().any(|other| other.runtime_id != id && other.is_busy());
    let is_fresh = kept.as_ref().is_some_and(|(taken, _)| taken.elapsed() < FRESH);
    if !is_fresh && !is_disturbing {
        let view = served.session.views().into_iter().next().ok_or(StatusCode::NOT_FOUND)?.on(served.page);
        // At its own size, so that points of the page are points of the picture.
        let what = Screenshot { format: ImageFormat::Jpeg { quality: 60 }, ..Screenshot::default() };
        let deadline = Deadline::after(&*view.stage().clock(), TAKING);
        if let Ok(image) = view.page().screenshot(what, deadline).await {
            *kept = Some((Instant::now(), Bytes::from(image)));
        }
    }
    let (_, image) = kept.as_ref().ok_or(StatusCode::SERVICE_UNAVAILABLE)?;
    Ok(([(CONTENT_TYPE, "image/jpeg"), (CACHE_CONTROL, "no-store")], image.clone()).into_response())
}
