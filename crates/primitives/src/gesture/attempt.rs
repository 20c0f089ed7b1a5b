//! Sends the input of a gesture and waits until the page confirms that the target received it.

use std::time::Duration;

use actions_browser::{Error, Input};
use actions_protocol::ErrorCode;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::Value;

use super::pending_confirmation::is_gone;
use super::{Aim, Astray, Confirmation, Ready, Watch, ready};
use crate::Failure;
use crate::dialog::{ShownDialog, open_dialog};
use crate::patience::Patience;
use crate::scene::Scene;

/// A gesture that the target received.
#[derive(Debug)]
pub(crate) struct Arrived {
    /// The element that received it.
    pub(crate) target: Value,
    /// The last event that the target received, if the page then took it away or showed something over it.
    pub(crate) ended_on: Option<String>,
    /// The dialog it opened.
    pub(crate) dialog: Option<ShownDialog>,
}

/// How long the confirmation may take after the browser has acknowledged the input.
const ECHO: Duration = Duration::from_millis(1500);
/// How long the confirmation may take after the input has failed, for example because a dialog opened.
const BEFORE_DIALOG: Duration = Duration::from_millis(500);

/// Makes a gesture. If the page script kept it from another element that came in its way, tries again until the timeout.
pub(crate) async fn gesture<'s>(
    scene: &Scene<'s>,
    aim: &Aim,
    timeout_ms: u64,
    watch: Watch,
    lost: ErrorCode,
    input: impl Fn(&Ready<'s>) -> Vec<Input>,
) -> Result<(Ready<'s>, Arrived), Failure> {
    let patience = Patience::of(scene, timeout_ms);
    loop {
        let mut ready = ready(scene, aim, patience, watch).await?;
        let input = input(&ready);
        match send(scene, &mut ready, &input, lost).await {
            Ok(arrived) => return Ok((ready, arrived)),
            Err(astray) if astray.prevented && !patience.left(scene).is_zero() => {}
            Err(astray) => return Err(astray.failure),
        }
    }
}

/// Sends the input and waits until the page confirms that the target received the last event.
async fn send(
    scene: &Scene<'_>,
    ready: &mut Ready<'_>,
    input: &[Input],
    lost: ErrorCode,
) -> Result<Arrived, Astray> {
    let sent = ready.pending.during(scene.page().input(input, scene.deadline)).await;
    let echo = if sent.is_ok() { ECHO } else { BEFORE_DIALOG };
    let confirmed = confirmed(ready, echo).await;
    let dialog = open_dialog(scene.page());
    if let Some(Err(failure)) = &confirmed
        && is_gone(failure)
        && let Some(on) = ready.pending.left_on(failure).await
    {
        return Ok(Arrived {
            target: ready.in_main_viewport(ready.target.clone()),
            ended_on: Some(on),
            dialog,
        });
    }
    match (confirmed, sent) {
        // The target received the input, but the next call would go to a page that does not answer.
        (Some(Ok(confirmation)), Err(Error::Timeout { .. })) if confirmation.received => {
            let message = "the target received the input, but the page has not answered since";
            Err(Failure::new(ErrorCode::Timeout, message).with_evidence("received", true).into())
        }
        (Some(Ok(confirmation)), _) if confirmation.received => {
            let ended_on = confirmation.seen.cut_short.map(|cut| cut.on);
            // An element that is gone can no longer be described.
            let target = if ended_on.is_some() { ready.target.clone() } else { confirmation.target };
            Ok(Arrived { target: ready.in_main_viewport(target), ended_on, dialog })
        }
        (Some(Ok(confirmation)), _) => Err(confirmation.astray(lost, ready)),
        (Some(Err(failure)), _) if !is_gone(&failure) => Err(failure.into()),
        (_, Err(error)) => Err(Failure::from(error).into()),
        (Some(Err(failure)), Ok(())) if failure.code != ErrorCode::InvalidInput => Err(failure.into()),
        (Some(Err(_)) | None, Ok(())) => Err(Failure::new(
            lost,
            "the input was sent, but the page did not confirm that the target received it",
        )
        .into()),
    }
}

/// Waits for the confirmation of the frame of the target, or of a frame around it that received the gesture instead.
async fn confirmed(ready: &mut Ready<'_>, echo: Duration) -> Option<Result<Confirmation, Failure>> {
    let mut guards: FuturesUnordered<_> = ready.guards.iter_mut().map(|guard| guard.within(echo)).collect();
    let astray = async {
        while let Some(answer) = guards.next().await {
            if let Some(Ok(confirmation)) = answer {
                return confirmation;
            }
        }
        std::future::pending().await
    };
    tokio::select! {
        biased;
        answer = ready.pending.within(echo) => answer,
        confirmation = astray => Some(Ok(confirmation)),
    }
}
