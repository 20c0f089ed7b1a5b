//! Sends the input of a gesture and waits until the page confirms that the target received it.

use std::time::Duration;

use actions_browser::{Error, Input};
use actions_protocol::ErrorCode;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::Value;

use super::hearing::is_gone;
use super::{Aim, Astray, Confirmation, Ready, Watch, ready};
use crate::Failure;
use crate::dialog::{ShownDialog, open_dialog};
use crate::patience::Patience;
use crate::scene::Scene;

/// What became of a gesture.
#[derive(Debug)]
pub(crate) struct Arrived {
    /// What received it.
    pub(crate) target: Value,
    /// The dialog it opened.
    pub(crate) dialog: Option<ShownDialog>,
}

/// How long after the page has taken the input its last event may take to be heard.
const ECHO: Duration = Duration::from_millis(1500);
/// How long the confirmation may take that was given before a dialog opened.
const BEFORE_DIALOG: Duration = Duration::from_millis(500);

/// Makes a gesture, and makes it again when it was kept from something that had come in its way.
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

/// Sends the input and waits until the page was heard to deliver its last event to the goal.
async fn send(
    scene: &Scene<'_>,
    ready: &mut Ready<'_>,
    input: &[Input],
    lost: ErrorCode,
) -> Result<Arrived, Astray> {
    let sent = ready.hearing.during(scene.page().input(input, scene.deadline)).await;
    let echo = if sent.is_ok() { ECHO } else { BEFORE_DIALOG };
    let confirmed = confirmed(ready, echo).await;
    let dialog = open_dialog(scene.page());
    match (confirmed, sent) {
        // It arrived; but whoever goes on would talk to a page that does not answer.
        (Some(Ok(confirmation)), Err(Error::Timeout { .. })) if confirmation.received => {
            let message = "the target received the input, and the page has not answered since";
            Err(Failure::new(ErrorCode::Timeout, message).with_evidence("received", true).into())
        }
        (Some(Ok(confirmation)), _) if confirmation.received => {
            Ok(Arrived { target: ready.in_main_viewport(confirmation.target), dialog })
        }
        (Some(Ok(confirmation)), _) => Err(confirmation.astray(lost, ready)),
        (Some(Err(failure)), _) if !is_gone(&failure) => Err(failure.into()),
        (_, Err(error)) => Err(Failure::from(error).into()),
        (Some(Err(failure)), Ok(())) if failure.code != ErrorCode::InvalidInput => Err(failure.into()),
        (Some(Err(_)) | None, Ok(())) => {
            Err(Failure::new(lost, "the input was sent, but the target was not heard to receive it").into())
        }
    }
}

/// What the goal was heard to receive, or one of the documents around it instead of it.
async fn confirmed(ready: &mut Ready<'_>, echo: Duration) -> Option<Result<Confirmation, Failure>> {
    let mut guards: FuturesUnordered<_> = ready.guards.iter_mut().map(|guard| guard.within(echo)).collect();
    let astray = async {
        while let Some(heard) = guards.next().await {
            if let Some(Ok(confirmation)) = heard {
                return confirmation;
            }
        }
        std::future::pending().await
    };
    tokio::select! {
        biased;
        answer = ready.hearing.within(echo) => answer,
        confirmation = astray => Some(Ok(confirmation)),
    }
}
