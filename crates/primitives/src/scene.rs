use std::time::Duration;

use actions_browser::{Call, Deadline, FrameId, Page};
use actions_dictionary::Primitive;
use actions_protocol::ErrorCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::{Failure, Stage};

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

    /// Walks a chain of frames from the outside in; the main frame without one.
    ///
    /// Every link costs a round trip to find the element and one to find the frame it shows.
    pub(crate) async fn path(&self, chain: Option<&Value>) -> Result<FramePath, Failure> {
        let mut path = FramePath { links: Vec::new(), frame: self.page().main_frame() };
        let links: Vec<Value> = match chain {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(links)) => links.clone(),
            Some(link) => vec![link.clone()],
        };
        for link in links {
            let locator = if link.is_string() { json!({ "selector": link }) } else { link.clone() };
            let missing = || {
                Failure::new(ErrorCode::FrameNotFound, format!("no frame matches {link}"))
                    .with_evidence("frame", link.clone())
                    .with_evidence(
                        "frames",
                        self.page().frames().iter().map(|frame| frame.url.clone()).collect::<Vec<_>>(),
                    )
            };
            let element =
                self.page().pick(&path.frame, &locator, &[], self.deadline).await?.ok_or_else(missing)?;
            let inner = self.page().content_frame(&element, self.deadline).await?;
            self.page().release(std::slice::from_ref(&element));
            let inner = inner.ok_or_else(missing)?;
            path.links.push(Link { parent: std::mem::replace(&mut path.frame, inner), locator });
        }
        Ok(path)
    }

    /// Calls a function of the page script that only reads, in the frame its locator (or `frame`) names.
    ///
    /// When nothing is found and a closed shadow root may hide it, the closed roots are opened to the script and the
    /// call is made once more.
    pub(crate) async fn read<T: DeserializeOwned>(&self, function: &str, args: &Value) -> Result<T, Failure> {
        let (path, args) = self.aim(args).await?;
        self.read_in(&path.frame, function, &args).await
    }

    /// As [`Scene::read`], in a frame that is known.
    pub(crate) async fn read_in<T: DeserializeOwned>(
        &self,
        frame: &FrameId,
        function: &str,
        args: &(impl Serialize + Sync),
    ) -> Result<T, Failure> {
        let first = self.page().call(Call::new(frame, function, args).repeatable(), self.deadline).await;
        let failure = match first {
            Ok(answer) => return Ok(answer),
            Err(error) => Failure::from(error),
        };
        if !hides(&failure) {
            return Err(failure);
        }
        let roots = self.page().closed_shadow_roots(frame, self.deadline).await?;
        if roots.is_empty() {
            return Err(failure);
        }
        let again =
            self.page().call(Call::new(frame, function, args).with_nodes(&roots), self.deadline).await;
        self.page().release(&roots);
        Ok(again?)
    }

    /// The frame that arguments name by `frame` or by `locator.frame`, and the arguments without it.
    pub(crate) async fn aim(&self, args: &Value) -> Result<(FramePath, Value), Failure> {
        let mut args = args.clone();
        let mut chain = take(&mut args, "frame");
        if let Some(locator) = args.get_mut("locator") {
            chain = take(locator, "frame").or(chain);
        }
        let path = self.path(chain.as_ref()).await?;
        Ok((path, args))
    }

    /// Calls a function of the page script that acts, in a frame that is known. It is never made twice.
    pub(crate) async fn act_in<T: DeserializeOwned>(
        &self,
        frame: &FrameId,
        function: &str,
        args: &Value,
    ) -> Result<T, Failure> {
        Ok(self.page().call(Call::new(frame, function, args), self.deadline).await?)
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

fn take(value: &mut Value, key: &str) -> Option<Value> {
    value.as_object_mut().and_then(|members: &mut Map<String, Value>| members.remove(key))
}

/// Whether a closed shadow root may hide what was not found.
fn hides(failure: &Failure) -> bool {
    let may =
        matches!(failure.code, ErrorCode::TargetNotFound | ErrorCode::ShadowUnreachable | ErrorCode::Timeout);
    may && failure
        .evidence
        .get("unreachable")
        .is_some_and(|hosts| hosts.as_array().is_none_or(|hosts| !hosts.is_empty()))
}
