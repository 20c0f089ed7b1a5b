use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use actions_browser::{Call, FrameId};
use actions_protocol::{ErrorCode, Topic};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use super::Confirmation;
use crate::Failure;
use crate::patience::Patience;
use crate::scene::Scene;

type Answer = Result<Confirmation, Failure>;

/// A question to the page, underway while a gesture is made: what has become of it?
pub(crate) struct Hearing<'s> {
    scene: Scene<'s>,
    frame: FrameId,
    /// The name of the gesture.
    pub(super) gesture: String,
    /// Whether the gesture is meant to arrive here.
    is_goal: bool,
    underway: Option<BoxFuture<'s, Answer>>,
    answer: Option<Answer>,
}

/// Names of gestures, different from those of every other process that talks to the page.
fn next_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("{}.{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

impl<'s> Hearing<'s> {
    /// Prepares the question for the frame of the goal; it goes out with the first thing that is done during it.
    pub(super) fn new(scene: &Scene<'s>, frame: &FrameId) -> Self {
        Self::of(scene, frame, true)
    }

    /// Prepares the question for a frame around that of the goal, where the gesture is not meant to arrive.
    pub(super) fn guard(scene: &Scene<'s>, frame: &FrameId) -> Self {
        Self::of(scene, frame, false)
    }

    fn of(scene: &Scene<'s>, frame: &FrameId, is_goal: bool) -> Self {
        let (underway, answer) = (None, None);
        let mut hearing =
            Self { scene: *scene, frame: frame.clone(), gesture: next_name(), is_goal, underway, answer };
        hearing.ask();
        hearing
    }

    fn ask(&mut self) {
        self.answer = None;
        self.underway =
            Some(Box::pin(ask(self.scene, self.frame.clone(), self.gesture.clone(), self.is_goal)));
    }

    /// Does something while listening. The question is always the first to be sent.
    pub(crate) async fn during<T>(&mut self, done: impl Future<Output = T>) -> T {
        tokio::pin!(done);
        loop {
            let Some(underway) = &mut self.underway else { return done.await };
            tokio::select! {
                biased;
                answer = underway => self.heard(answer),
                done = &mut done => return done,
            }
        }
    }

    fn heard(&mut self, answer: Answer) {
        self.underway = None;
        self.answer = Some(answer);
    }

    /// Makes sure that the page listens. It does when the gesture was announced to the document the question went to;
    /// otherwise the question is asked again, and a later call tells that it has arrived.
    pub(super) async fn ensure(&mut self, listening: bool) -> Result<(), Failure> {
        if listening && !matches!(self.answer, Some(Err(_))) {
            return Ok(());
        }
        self.ask();
        let (scene, frame) = (self.scene, self.frame.clone());
        let nothing = json!({});
        let _: Value = self.during(scene.look_in(&frame, "page.info", &nothing)).await?;
        Ok(())
    }

    /// The answer, if it comes within a time.
    pub(crate) async fn within(&mut self, limit: Duration) -> Option<Answer> {
        let clock = self.scene.stage.clock();
        let end = clock.now() + limit.min(self.scene.left());
        if self.answer.is_none() {
            // What this ends with does not matter: the answer is kept where it arrives.
            let () = self.until(clock.sleep_until(end)).await;
        }
        self.answer.take()
    }

    async fn until(&mut self, over: impl Future<Output = ()>) {
        let Some(underway) = &mut self.underway else { return };
        tokio::select! {
            biased;
            answer = underway => self.heard(answer),
            () = over => {}
        }
    }
}

async fn ask(scene: Scene<'_>, frame: FrameId, gesture: String, is_goal: bool) -> Answer {
    let args = json!({ "gesture": gesture, "timeout_ms": Patience::of_call(&scene).left_ms(&scene) });
    // A dialog which the gesture opens may be told of before the confirmation, which was given first.
    let call = Call::new(&frame, "action.confirm", &args).outlasting_dialogs();
    let call = if is_goal { call.hearing_aftermath() } else { call };
    scene.page().call(call, scene.deadline).await.map_err(Failure::from)
}

/// Whether a failure only says that the document which was asked is gone.
pub(super) fn is_gone(failure: &Failure) -> bool {
    matches!(failure.code.topic(), Topic::StaleDocument | Topic::AbsentFrame)
        || failure.code == ErrorCode::InvalidInput
}
