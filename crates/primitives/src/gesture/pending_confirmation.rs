//! A call to the page script that waits until a gesture is received, pending while the gesture is made.

use std::future::Future;
use std::time::Duration;

use actions_browser::{Call, FrameId};
use actions_protocol::{ErrorCode, Topic};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use super::Confirmation;
use crate::Failure;
use crate::begun::{Begun, next_act};
use crate::patience::Patience;
use crate::scene::Scene;

type Answer = Result<Confirmation, Failure>;

/// A call of `action.confirm` in one frame, pending while a gesture is made. It returns once the page has received the
/// last event of the gesture.
pub(crate) struct PendingConfirmation<'s> {
    scene: Scene<'s>,
    frame: FrameId,
    /// The id of the gesture, by which the page script matches the calls about it.
    pub(super) gesture: String,
    /// Whether the target is in this frame.
    is_goal: bool,
    /// The call, until it returns.
    underway: Option<BoxFuture<'s, Answer>>,
    /// The call that learns of the press, if the gesture has one before its last event.
    pressing: Option<Begun<'s>>,
    answer: Option<Answer>,
}

impl<'s> PendingConfirmation<'s> {
    /// Prepares the call for the frame of the target. It is sent when [`PendingConfirmation::during`] is first polled.
    pub(super) fn new(scene: &Scene<'s>, frame: &FrameId) -> Self {
        Self::of(scene, frame, true)
    }

    /// Like [`PendingConfirmation::new`], for a gesture whose press may make the page load another document.
    pub(super) fn with_press(scene: &Scene<'s>, frame: &FrameId) -> Self {
        let mut pending = Self::of(scene, frame, true);
        pending.pressing = Some(Begun::new(scene, frame, &pending.gesture));
        pending
    }

    /// Prepares the call for a frame around the frame of the target, where the gesture should not arrive.
    pub(super) fn guard(scene: &Scene<'s>, frame: &FrameId) -> Self {
        Self::of(scene, frame, false)
    }

    fn of(scene: &Scene<'s>, frame: &FrameId, is_goal: bool) -> Self {
        let (underway, pressing, answer) = (None, None, None);
        let (frame, gesture) = (frame.clone(), next_act());
        let mut pending = Self { scene: *scene, frame, gesture, is_goal, underway, pressing, answer };
        pending.ask();
        pending
    }

    fn ask(&mut self) {
        self.answer = None;
        self.underway =
            Some(Box::pin(ask(self.scene, self.frame.clone(), self.gesture.clone(), self.is_goal)));
    }

    /// The frame whose document listens.
    pub(crate) fn frame(&self) -> &FrameId {
        &self.frame
    }

    /// Runs a future while the call is pending. The call is always sent first.
    pub(crate) async fn during<T>(&mut self, done: impl Future<Output = T>) -> T {
        tokio::pin!(done);
        let Self { underway, answer, pressing, .. } = self;
        loop {
            // A branch whose call has returned is disabled.
            tokio::select! {
                biased;
                () = pressed(pressing), if pressing.as_ref().is_some_and(Begun::is_pending) => {}
                answered = answered(underway), if underway.is_some() => {
                    (*underway, *answer) = (None, answered);
                }
                done = &mut done => return done,
            }
        }
    }

    /// The event by which the target received the press, if the page then loaded another document. `failure` is that of
    /// the confirmation.
    pub(super) async fn left_on(&mut self, failure: &Failure) -> Option<String> {
        let scene = self.scene;
        let noted = scene.left_after(self.pressing.as_mut()?, failure).await?;
        noted["on"].as_str().map(str::to_owned)
    }

    fn returned(&mut self, answer: Answer) {
        self.underway = None;
        self.answer = Some(answer);
    }

    /// Makes sure that the page listens for the gesture. `listening` says that the document which received the call also
    /// received the preparation. Otherwise the document was replaced in between: this sends the call again, and a read
    /// after it shows that it has arrived.
    pub(super) async fn ensure(&mut self, listening: bool) -> Result<(), Failure> {
        if listening && !matches!(self.answer, Some(Err(_))) {
            return Ok(());
        }
        self.ask();
        if self.pressing.is_some() {
            self.pressing = Some(Begun::new(&self.scene, &self.frame, &self.gesture));
        }
        let (scene, frame) = (self.scene, self.frame.clone());
        let nothing = json!({});
        let _: Value = self.during(scene.look_in(&frame, "page.info", &nothing)).await?;
        Ok(())
    }

    /// Waits for the answer, at most for `limit`.
    pub(crate) async fn within(&mut self, limit: Duration) -> Option<Answer> {
        let clock = self.scene.stage.clock();
        let end = clock.now() + limit.min(self.scene.left());
        if self.answer.is_none() {
            self.until(clock.sleep_until(end)).await;
        }
        self.answer.take()
    }

    async fn until(&mut self, over: impl Future<Output = ()>) {
        let Some(underway) = &mut self.underway else { return };
        tokio::select! {
            biased;
            answer = underway => self.returned(answer),
            () = over => {}
        }
    }
}

async fn pressed(pressing: &mut Option<Begun<'_>>) {
    if let Some(pressing) = pressing {
        pressing.returned().await;
    }
}

async fn answered(underway: &mut Option<BoxFuture<'_, Answer>>) -> Option<Answer> {
    Some(underway.as_mut()?.await)
}

async fn ask(scene: Scene<'_>, frame: FrameId, gesture: String, is_goal: bool) -> Answer {
    let args = json!({ "gesture": gesture, "timeout_ms": Patience::of_call(&scene).left_ms(&scene) });
    // The event of a dialog that the gesture opens may arrive before the confirmation, which the page sent first.
    let call = Call::new(&frame, "action.confirm", &args).outlasting_dialogs();
    let call = if is_goal { call.hearing_aftermath() } else { call };
    scene.page().call(call, scene.deadline).await.map_err(Failure::from)
}

/// Whether a call failed only because its document no longer exists.
pub(super) fn is_gone(failure: &Failure) -> bool {
    matches!(failure.code.topic(), Topic::StaleDocument | Topic::AbsentFrame)
        || failure.code == ErrorCode::InvalidInput
}
