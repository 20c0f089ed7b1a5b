//! Calls functions of the page script: which frame, whether the call may be repeated, and how long it may wait.

use std::time::Duration;

use actions_browser::{Call, Error, FrameId};
use actions_protocol::{ErrorCode, Topic};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::Failure;
use crate::patience::Patience;
use crate::scene::Scene;

impl Scene<'_> {
    /// Calls a function that only reads, in the frame that `locator.frame` or `frame` names.
    pub(crate) async fn read<T: DeserializeOwned>(&self, function: &str, args: &Value) -> Result<T, Failure> {
        // A wait for an element to disappear does not wait for its frame to appear.
        let vanishes = matches!(args["state"].as_str(), Some("hidden" | "detached"));
        let wish = args["timeout_ms"].as_u64().filter(|_| !vanishes);
        let patience = Patience::of(self, wish.unwrap_or(0));
        let began = self.stage.clock().now();
        let waited = || self.stage.clock().now().saturating_duration_since(began);
        let aimed = self.aim(args, patience).await;
        let (path, mut args) = match aimed {
            Err(failure) if vanishes && without_frame(&failure) => {
                return gone_with_its_frame(args, waited(), &failure);
            }
            other => other?,
        };
        if wish.is_some() && !path.links.is_empty() {
            args["timeout_ms"] = json!(patience.left_ms(self));
        }
        match self.read_in(&path.frame, function, &args).await {
            Err(failure) if vanishes && without_frame(&failure) => {
                gone_with_its_frame(&args, waited(), &failure)
            }
            other => other,
        }
    }

    /// Like [`Scene::read_in`], but first waits until the element is attached.
    pub(crate) async fn read_when_there<T: DeserializeOwned>(
        &self,
        frame: &FrameId,
        function: &str,
        args: &Value,
        patience: Patience,
    ) -> Result<T, Failure> {
        match self.read_in(frame, function, args).await {
            Err(failure) if failure.code == ErrorCode::TargetNotFound && !patience.left(self).is_zero() => {}
            other => return other,
        }
        let wait =
            json!({ "locator": args["locator"], "state": "attached", "timeout_ms": patience.left_ms(self) });
        match self.read_in::<Value>(frame, "locator.wait_for", &wait).await {
            Err(failure) if failure.code != ErrorCode::Timeout => Err(failure),
            // If the element is still absent, the read itself reports it.
            _ => self.read_in(frame, function, args).await,
        }
    }

    /// Calls a function that only reads, in a known frame. The call is repeated if the document is replaced meanwhile.
    pub(crate) async fn read_in<T: DeserializeOwned>(
        &self,
        frame: &FrameId,
        function: &str,
        args: &Value,
    ) -> Result<T, Failure> {
        self.search(frame, function, args, Manner::Reads).await
    }

    /// Calls a function that acts, in a known frame. The call is never repeated.
    pub(crate) async fn act_in<T: DeserializeOwned>(
        &self,
        frame: &FrameId,
        function: &str,
        args: &Value,
    ) -> Result<T, Failure> {
        self.search(frame, function, args, Manner::Acts).await
    }

    /// Like [`Scene::act_in`], for the last call of a primitive. The page reports when it has done what the call made it
    /// do at once, so that nothing has to ask for it.
    pub(crate) async fn finish_in<T: DeserializeOwned>(
        &self,
        frame: &FrameId,
        function: &str,
        args: &Value,
    ) -> Result<T, Failure> {
        self.search(frame, function, args, Manner::Finishes).await
    }

    /// Calls a function that only reads, in the current document only: the call fails if the document is replaced.
    pub(crate) async fn look_in<T: DeserializeOwned>(
        &self,
        frame: &FrameId,
        function: &str,
        args: &Value,
    ) -> Result<T, Failure> {
        self.search(frame, function, args, Manner::Looks).await
    }

    /// Calls a function. If it finds nothing and a closed shadow root may hide the element, opens the closed roots to
    /// the page script and calls again with the time that is left. The page script remembers which elements it has
    /// reported, so a page without closed roots costs one call.
    async fn search<T: DeserializeOwned>(
        &self,
        frame: &FrameId,
        function: &str,
        args: &Value,
        manner: Manner,
    ) -> Result<T, Failure> {
        let waits =
            ["deadline_ms", "timeout_ms"].iter().any(|key| args[*key].as_u64().is_some_and(|ms| ms > 0));
        let deadline = if waits { self.stage.last_answer(self.deadline) } else { self.deadline };
        let began = self.stage.clock().now();
        let mut question = args.clone();
        question["unsearched"] = json!(true);
        loop {
            let call = manner.apply(Call::new(frame, function, &question));
            let error = match self.page().call(call, deadline).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let is_incomplete = is_incomplete(&error);
            let failure = Failure::from(error);
            if question["unsearched"] != true || !is_incomplete {
                return Err(failure);
            }
            match self.enter_closed_roots(frame).await {
                Ok(_) => {}
                // No time is left to open them; the first failure names the elements that were not searched.
                Err(late) if late.code == ErrorCode::Timeout => return Err(failure),
                Err(error) => return Err(error),
            }
            let spent = self.stage.clock().now().saturating_duration_since(began);
            question = with_time_spent(args, spent);
        }
    }
}

/// What a call does to the page, and whether it may be repeated.
#[derive(Clone, Copy)]
enum Manner {
    /// It only reads, and is repeated when its document is replaced.
    Reads,
    /// It only reads, and applies to the current document alone.
    Looks,
    /// It acts.
    Acts,
    /// It acts, and is the last call of a primitive.
    Finishes,
}

impl Manner {
    fn apply(self, call: Call<'_>) -> Call<'_> {
        match self {
            Manner::Reads => call.repeatable(),
            Manner::Looks => call.reading(),
            Manner::Acts => call,
            Manner::Finishes => call.hearing_aftermath(),
        }
    }
}

/// Whether the page script found nothing, but a closed shadow root may hide the element.
fn is_incomplete(error: &Error) -> bool {
    matches!(error, Error::Answered { evidence, .. } if evidence.get("unreachable").is_some())
}

/// Whether a call failed because its frame does not exist.
fn without_frame(failure: &Failure) -> bool {
    failure.code.topic() == Topic::AbsentFrame
}

/// The output of a wait for an element to disappear whose frame does not exist: the element is then neither rendered nor
/// attached.
fn gone_with_its_frame<T: DeserializeOwned>(
    args: &Value,
    waited: Duration,
    failure: &Failure,
) -> Result<T, Failure> {
    let output = json!({
        "matched": true,
        "state": args["state"],
        "elapsed_ms": waited.as_millis() as u64,
        "absent_frame": failure.message,
    });
    serde_json::from_value(output).map_err(|error| Failure::new(ErrorCode::InternalError, error.to_string()))
}

/// The arguments for repeating a call that has already waited. While time is left, the call may report closed roots
/// again; without time, it is the last attempt.
fn with_time_spent(args: &Value, spent: Duration) -> Value {
    let spent = u64::try_from(spent.as_millis()).unwrap_or(u64::MAX);
    let mut question = args.clone();
    let mut waits = false;
    for key in ["deadline_ms", "timeout_ms"] {
        if let Some(ms) = args[key].as_u64() {
            let left = ms.saturating_sub(spent);
            waits |= left > 0;
            question[key] = json!(left);
            question["spent_ms"] = json!(spent.min(ms));
        }
    }
    question["unsearched"] = json!(waits);
    question
}
