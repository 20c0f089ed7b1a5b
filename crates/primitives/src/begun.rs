//! Learns from the page that an action was done before the page's own handlers ran.
//!
//! A handler may load another document, and Chromium drops answers of the old one that come after that has begun. The call
//! that learns of the action is sent together with the one that acts, so that it costs no round trip, and is answered first.

use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use actions_browser::{Call, FrameId};
use futures_util::future::BoxFuture;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::Failure;
use crate::patience::Patience;
use crate::scene::Scene;

/// How long the answer may take after the call that acts was cut off.
const ECHO: Duration = Duration::from_millis(500);

/// A new id of an action. It contains the process id, because other processes may drive the same page.
pub(crate) fn next_act() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("{}.{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A call of `action.begun`, pending while an action is done.
pub(crate) struct Begun<'s> {
    scene: Scene<'s>,
    underway: Option<BoxFuture<'s, Option<Value>>>,
    noted: Option<Value>,
}

#[derive(Deserialize)]
struct Answer {
    begun: Option<Value>,
}

impl<'s> Begun<'s> {
    /// Prepares the call. It is sent when [`Begun::during`] is first polled.
    pub(crate) fn new(scene: &Scene<'s>, frame: &FrameId, act: &str) -> Self {
        let underway = Box::pin(ask(*scene, frame.clone(), act.to_owned()));
        Self { scene: *scene, underway: Some(underway), noted: None }
    }

    /// Whether the call has not returned yet.
    pub(crate) fn is_pending(&self) -> bool {
        self.underway.is_some()
    }

    /// Waits until the call has returned.
    pub(crate) async fn returned(&mut self) {
        if let Some(underway) = &mut self.underway {
            let noted = underway.await;
            (self.underway, self.noted) = (None, noted);
        }
    }

    /// Runs a future while the call is pending. The call is always sent first.
    pub(crate) async fn during<T>(&mut self, done: impl Future<Output = T>) -> T {
        tokio::pin!(done);
        loop {
            let is_pending = self.is_pending();
            tokio::select! {
                biased;
                () = self.returned(), if is_pending => {}
                done = &mut done => return done,
            }
        }
    }

    /// What the page noted when the action was done; `None` if it was not done, or that is not known.
    pub(crate) async fn noted(&mut self) -> Option<Value> {
        let clock = self.scene.stage.clock();
        let late = clock.sleep_until(clock.now() + ECHO.min(self.scene.left()));
        tokio::select! {
            biased;
            () = self.returned() => {}
            () = late => {}
        }
        self.noted.take()
    }
}

async fn ask(scene: Scene<'_>, frame: FrameId, act: String) -> Option<Value> {
    let args = json!({ "act": act, "timeout_ms": Patience::of_call(&scene).left_ms(&scene) });
    let call = Call::new(&frame, "action.begun", &args).reading().outlasting_dialogs();
    scene.page().call::<Answer>(call, scene.deadline).await.ok()?.begun
}

/// How a call that acts came to its end.
pub(crate) enum Ended<T> {
    /// The page answered.
    Answered(T),
    /// The action was done, and then the page loaded another document because of it. Holds what was noted of the action.
    Left(Value),
}

impl Scene<'_> {
    /// Like [`Scene::finish_in`], for a function that notes when its action is done.
    pub(crate) async fn finish_noted<T: DeserializeOwned>(
        &self,
        frame: &FrameId,
        function: &str,
        args: &Value,
    ) -> Result<Ended<T>, Failure> {
        let act = next_act();
        let mut begun = Begun::new(self, frame, &act);
        let mut question = args.clone();
        question["act"] = json!(act);
        let failure = match begun.during(self.finish_in(frame, function, &question)).await {
            Ok(answer) => return Ok(Ended::Answered(answer)),
            Err(failure) => failure,
        };
        self.left_after(&mut begun, &failure).await.map(Ended::Left).ok_or(failure)
    }

    /// What was noted of an action, if it was done and the page then loaded another document.
    pub(crate) async fn left_after(&self, begun: &mut Begun<'_>, failure: &Failure) -> Option<Value> {
        let noted = begun.noted().await?;
        self.has_replaced_document(failure).await.then_some(noted)
    }
}
