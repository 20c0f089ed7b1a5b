//! Answers requests from a recording.

use chromiumoxide_cdp::cdp::browser_protocol::fetch::{FailRequestParams, FulfillRequestParams, HeaderEntry};
use chromiumoxide_cdp::cdp::browser_protocol::network::ErrorReason;

use super::{RequestPaused, fail, place};
use crate::cdp::Session;
use crate::har::{Answer, Replay, ReplayMiss};

/// Answers a request. If the recording has no answer, fails the request and returns what is missing.
pub(super) fn answer(replay: &Replay, session: &Session, paused: &RequestPaused) -> Option<ReplayMiss> {
    let request = &paused.request;
    let body = request.body().unwrap_or_default();
    let asked = replay.asked_for(&request.method, &request.url, &body, request.header("content-type"));
    let answer = match replay.answer(&asked) {
        Ok(answer) => answer,
        Err(miss) => {
            fail(session, paused, ErrorReason::InternetDisconnected);
            return Some(*miss);
        }
    };
    match &*answer {
        Answer::Given { status, phrase, headers, body } => {
            let headers = headers.iter().map(|(name, value)| HeaderEntry::new(name.clone(), value.clone()));
            let command = FulfillRequestParams {
                response_headers: Some(headers.collect()),
                body: Some(body.clone().into()),
                response_phrase: (!phrase.is_empty()).then(|| phrase.clone()),
                ..FulfillRequestParams::new(paused.request_id.clone(), i64::from(*status))
            };
            let place = place(&request.url).to_owned();
            let (home, request_id) = (session.clone(), paused.request_id.clone());
            session.send_then(command, move |answer| {
                if let Err(error) = answer {
                    tracing::debug!("the browser refused the recorded response to {place}: {error}");
                    // The request must not wait for ever. If it is gone, the response does not matter.
                    home.send_then(FailRequestParams::new(request_id, ErrorReason::Failed), drop);
                }
            });
        }
        Answer::Failed | Answer::WithoutBody => fail(session, paused, ErrorReason::Failed),
    }
    None
}
