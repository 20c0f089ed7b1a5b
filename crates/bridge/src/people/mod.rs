//! The page for people: what runs, what it shows, what it did, and the questions that only a person answers.
//!
//! The page itself is public and holds nothing; everything it shows comes by requests with the token, which stands in the
//! fragment of its address and is never sent as part of one.

mod confirmations;
mod events;
mod picture;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use actions_protocol::{CallId, RuntimeId};

use crate::bridge::Bridge;
pub use confirmations::People;

/// The files of the page, which hold nothing that needs the token.
pub(crate) const FILES: &[(&str, &str, &str)] = &[
    ("/", "text/html; charset=utf-8", include_str!("../../ui/index.html")),
    ("/ui.css", "text/css; charset=utf-8", include_str!("../../ui/ui.css")),
    ("/ui.js", "text/javascript; charset=utf-8", include_str!("../../ui/ui.js")),
];

/// What the page may load: its own files and pictures, and nothing from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src blob:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What the handlers share.
#[derive(Clone)]
pub(crate) struct Room {
    pub(crate) bridge: Bridge,
    pub(crate) people: People,
}

/// The requests of the page.
pub(crate) fn router(room: Room) -> Router {
    let mut router = Router::new()
        .route("/picture/{runtime_id}", get(picture::picture))
        .route("/events", get(events::events))
        .route("/confirm", post(confirm))
        .route("/cancel/{call_id}", post(cancel));
    for (path, kind, text) in FILES {
        router = router.route(path, get(async move || file(kind, text)));
    }
    router.with_state(room)
}

fn file(kind: &'static str, text: &'static str) -> Response {
    let headers: [(HeaderName, &str); 5] = [
        (CONTENT_TYPE, kind),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
    ];
    (headers, text).into_response()
}

/// What a person decided.
#[derive(Deserialize)]
struct Decided {
    id: u64,
    allow: bool,
}

async fn confirm(State(room): State<Room>, body: Bytes) -> StatusCode {
    let Ok(decided) = serde_json::from_slice::<Decided>(&body) else { return StatusCode::BAD_REQUEST };
    match room.people.decide(decided.id, decided.allow) {
        true => StatusCode::NO_CONTENT,
        false => StatusCode::NOT_FOUND,
    }
}

/// Stops a call, whichever client made it.
async fn cancel(State(room): State<Room>, Path(call_id): Path<String>) -> StatusCode {
    let Ok(call_id) = CallId::parse(&call_id) else { return StatusCode::BAD_REQUEST };
    room.bridge.shared.cancel(&call_id);
    StatusCode::NO_CONTENT
}

/// The runtime of a request.
fn runtime(text: &str) -> Result<RuntimeId, StatusCode> {
    RuntimeId::parse(text).map_err(|_| StatusCode::BAD_REQUEST)
}
