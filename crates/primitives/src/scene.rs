use std::time::Duration;

use actions_browser::{Call, Deadline, Error, FrameId, Page};
use actions_dictionary::Primitive;
use actions_protocol::{ErrorCode, Topic};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::locate::{FrameChain, FrameLink};
use crate::patience::Patience;
use crate::{Failure, Stage};

/// How long a frame that is waited for is not looked for again, if nothing changes.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// How long before the end of the call the page is to say what it saw; that tells more than its silence.
pub(crate) const ANSWERING: Duration = Duration::from_millis(200);

/// What a primitive sees while it runs.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'s> {
    pub(crate) stage: &'s Stage,
    pub(crate) primitive: &'static Primitive,
    pub(crate) deadline: Deadline,
}

impl<'s> Scene<'s> {
    pub(crate) fn page(&self) -> &'s dyn Page {
        self.stage.page()
    }

    /// How much time is left.
    pub(crate) fn left(&self) -> Duration {
        self.deadline.at().saturating_duration_since(self.stage.clock().now())
    }

    /// How much time the page may take: its answer has to be here before the call is over.
    pub(crate) fn left_for_the_page(&self) -> Duration {
        let left = self.left();
        left - ANSWERING.min(left / 10)
    }

    /// Walks a chain of frames from the outside in, waiting for those that are still to come; the main frame without one.
    ///
    /// Every link costs a round trip to find the element and one to find the frame it shows.
    pub(crate) async fn path(&self, chain: &FrameChain, patience: Patience) -> Result<FramePath, Failure> {
        let mut path = FramePath { links: Vec::new(), frame: self.page().main_frame() };
        for FrameLink { written, query } in chain.links() {
            let inner = loop {
                match self.frame_shown_by(&path.frame, query).await? {
                    Some(inner) => break inner,
                    None if patience.left(self).is_zero() => return Err(self.no_frame(written)),
                    None => self.change_in(&path.frame, patience).await?,
                }
            };
            let parent = std::mem::replace(&mut path.frame, inner);
            path.links.push(Link { parent, locator: query.clone() });
        }
        Ok(path)
    }

    /// The frame that an element shows, if there is such an element and it shows one.
    pub(crate) async fn frame_shown_by(
        &self,
        frame: &FrameId,
        locator: &Value,
    ) -> Result<Option<FrameId>, Failure> {
        let mut picked = self.page().pick(frame, locator, &[], self.deadline).await?;
        if picked.is_none() && self.enter_closed_roots(frame).await? {
            picked = self.page().pick(frame, locator, &[], self.deadline).await?;
        }
        let Some(element) = picked else { return Ok(None) };
        let inner = self.page().content_frame(&element, self.deadline).await;
        self.page().release(std::slice::from_ref(&element));
        match inner {
            // It was replaced between the two looks; the next look finds what took its place.
            Err(Error::HandleStale) => Ok(None),
            other => Ok(other?),
        }
    }

    fn no_frame(&self, link: &Value) -> Failure {
        let frames: Vec<String> = self.page().frames().into_iter().map(|frame| frame.url).collect();
        Failure::new(ErrorCode::FrameNotFound, format!("no frame matches {link}"))
            .with_evidence("frame", link.clone())
            .with_evidence("frames", frames)
    }

    /// Waits until the document of a frame changes, or for a moment.
    async fn change_in(&self, frame: &FrameId, patience: Patience) -> Result<(), Failure> {
        let pause = patience.left(self).min(LOOK_AGAIN);
        let args = json!({ "timeout_ms": pause.as_millis() as u64 });
        let _: Value =
            self.page().call(Call::new(frame, "page.change", &args).repeatable(), self.deadline).await?;
        Ok(())
    }

    /// Calls a function of the page script that only reads, in the frame its locator (or `frame`) names.
    pub(crate) async fn read<T: DeserializeOwned>(&self, function: &str, args: &Value) -> Result<T, Failure> {
        // What is to disappear is not waited for to appear.
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

    /// As [`Scene::read_in`], once the element is there.
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
            // What is not there now is refused by the look itself.
            _ => self.read_in(frame, function, args).await,
        }
    }

    /// As [`Scene::read`], in a frame that is known. It is made again if the document is replaced meanwhile.
    pub(crate) async fn read_in<T: DeserializeOwned>(
        &self,
        frame: &FrameId,
        function: &str,
        args: &Value,
    ) -> Result<T, Failure> {
        self.search(frame, function, args, Manner::Reads).await
    }

    /// Calls a function of the page script that acts, in a frame that is known. What it does is never done twice.
    pub(crate) async fn act_in<T: DeserializeOwned>(
        &self,
        frame: &FrameId,
        function: &str,
        args: &Value,
    ) -> Result<T, Failure> {
        self.search(frame, function, args, Manner::Acts).await
    }

    /// As [`Scene::act_in`], for what a primitive ends with: the page tells of the aftermath by itself.
    pub(crate) async fn finish_in<T: DeserializeOwned>(
        &self,
        frame: &FrameId,
        function: &str,
        args: &Value,
    ) -> Result<T, Failure> {
        self.search(frame, function, args, Manner::Finishes).await
    }

    /// Calls a function that only reads, in the document that is there now and in no later one.
    pub(crate) async fn look_in<T: DeserializeOwned>(
        &self,
        frame: &FrameId,
        function: &str,
        args: &Value,
    ) -> Result<T, Failure> {
        self.search(frame, function, args, Manner::Looks).await
    }

    /// Calls a function. When nothing is found and a closed shadow root may hide it, the browser is asked about closed
    /// roots and the call is made once more, for as long as it still has to wait: what is not there was looked for
    /// everywhere. The page script remembers what was asked, so that on a page without closed roots this is one call.
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
                // There was no time to look; the failure says what was left out.
                Err(late) if late.code == ErrorCode::Timeout => return Err(failure),
                Err(error) => return Err(error),
            }
            let spent = self.stage.clock().now().saturating_duration_since(began);
            question = with_time_spent(args, spent);
        }
    }

    /// Opens closed shadow roots to the page script, and says whether there were new ones.
    async fn enter_closed_roots(&self, frame: &FrameId) -> Result<bool, Failure> {
        let roots = match self.page().closed_shadow_roots(frame, self.deadline).await {
            // The document was replaced; the next call finds its successor.
            Err(Error::HandleStale) => return Ok(true),
            other => other?,
        };
        self.page().release(&roots);
        Ok(!roots.is_empty())
    }

    /// The frame that arguments name by `frame` or by `locator.frame`, and the arguments without it.
    pub(crate) async fn aim(&self, args: &Value, patience: Patience) -> Result<(FramePath, Value), Failure> {
        let mut args = args.clone();
        let mut chain = FrameChain::take_from(&mut args);
        if let Some(locator) = args.get_mut("locator") {
            chain = FrameChain::take_from(locator).or(chain);
        }
        let path = self.path(&chain.unwrap_or_default(), patience).await?;
        Ok((path, args))
    }
}

/// What a call does to the page.
#[derive(Clone, Copy)]
enum Manner {
    /// Nothing; it is made again when its document is replaced under it.
    Reads,
    /// Nothing; it is about this document alone.
    Looks,
    /// Something.
    Acts,
    /// Something, and it is the last thing that a primitive does.
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

/// The way from the main frame to a frame.
#[derive(Clone, Debug)]
pub(crate) struct FramePath {
    /// The frame elements on the way, from the outside in.
    pub(crate) links: Vec<Link>,
    /// The frame at the end.
    pub(crate) frame: FrameId,
}

/// One frame element on the way to a frame.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    /// The frame whose document holds the element.
    pub(crate) parent: FrameId,
    /// The element.
    pub(crate) locator: Value,
}

/// Whether the page script found nothing, but a closed shadow root may hide it.
fn is_incomplete(error: &Error) -> bool {
    matches!(error, Error::Answered { evidence, .. } if evidence.get("unreachable").is_some())
}

/// Whether a call failed because its frame is not there.
fn without_frame(failure: &Failure) -> bool {
    failure.code.topic() == Topic::AbsentFrame
}

/// The answer of a wait for something to go: what a frame holds that is not there is neither rendered nor attached.
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

/// The arguments of a call that has waited for some time already. It may be asked about closed roots again as long as it
/// has to wait; the last look is final.
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
