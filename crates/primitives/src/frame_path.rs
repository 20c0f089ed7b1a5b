//! Finds the frame that a locator or `frame` argument names, from the main frame inwards.

use std::collections::HashMap;
use std::time::Duration;

use actions_browser::{Call, Error, FrameId, Handle};
use actions_protocol::ErrorCode;
use serde_json::{Value, json};

use crate::Failure;
use crate::locate::{FrameChain, FrameLink};
use crate::patience::Patience;
use crate::scene::Scene;

/// The longest pause between two attempts to find a frame, when the page reports no change.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// The frames from the main frame to a frame inside it.
#[derive(Clone, Debug)]
pub(crate) struct FramePath {
    /// The frame elements, outermost first.
    pub(crate) links: Vec<Link>,
    /// The innermost frame.
    pub(crate) frame: FrameId,
}

/// One frame element of a path.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    /// The frame whose document contains the element.
    pub(crate) parent: FrameId,
    /// The locator of the element.
    pub(crate) locator: Value,
    /// The element itself, if it was not found by a locator; the locator then names it by its index.
    pub(crate) element: Option<Handle>,
}

impl Scene<'_> {
    /// Finds each frame of a chain, outermost first, and waits for frames that are not there yet. An empty chain means
    /// the main frame.
    ///
    /// Each link costs two round trips: one to find the element, one to find the frame it shows.
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
            path.links.push(Link { parent, locator: query.clone(), element: None });
        }
        Ok(path)
    }

    /// The path to a frame of the page. Each link costs one round trip.
    pub(crate) async fn path_to(&self, frame: &FrameId) -> Result<FramePath, Failure> {
        let parents: HashMap<FrameId, Option<FrameId>> =
            self.page().frames().into_iter().map(|known| (known.id, known.parent)).collect();
        let mut path = FramePath { links: Vec::new(), frame: frame.clone() };
        let mut at = frame;
        while let Some(Some(parent)) = parents.get(at) {
            let element = Some(self.page().frame_element(at, self.deadline).await?);
            let locator = json!({ "node": 0 });
            path.links.insert(0, Link { parent: parent.clone(), locator, element });
            at = parent;
        }
        Ok(path)
    }

    /// Finds the frame that arguments name with `frame` or `locator.frame`, and returns the arguments without it.
    pub(crate) async fn aim(&self, args: &Value, patience: Patience) -> Result<(FramePath, Value), Failure> {
        let mut args = args.clone();
        let mut chain = FrameChain::take_from(&mut args);
        if let Some(locator) = args.get_mut("locator") {
            chain = FrameChain::take_from(locator).or(chain);
        }
        let path = self.path(&chain.unwrap_or_default(), patience).await?;
        Ok((path, args))
    }

    /// Returns the frame that an element shows; `None` if there is no such element or it shows no frame.
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
            // The page replaced the element between the two calls; the next attempt finds the new one.
            Err(Error::HandleStale) => Ok(None),
            other => Ok(other?),
        }
    }

    /// Gives the page script access to closed shadow roots, and returns whether there were new ones.
    pub(crate) async fn enter_closed_roots(&self, frame: &FrameId) -> Result<bool, Failure> {
        let roots = match self.page().closed_shadow_roots(frame, self.deadline).await {
            // The document was replaced; the next call goes to the new one.
            Err(Error::HandleStale) => return Ok(true),
            other => other?,
        };
        self.page().release(&roots);
        Ok(!roots.is_empty())
    }

    fn no_frame(&self, link: &Value) -> Failure {
        let frames: Vec<String> = self.page().frames().into_iter().map(|frame| frame.url).collect();
        Failure::new(ErrorCode::FrameNotFound, format!("no frame matches {link}"))
            .with_evidence("frame", link.clone())
            .with_evidence("frames", frames)
    }

    /// Waits until the document of a frame changes, at most [`LOOK_AGAIN`].
    async fn change_in(&self, frame: &FrameId, patience: Patience) -> Result<(), Failure> {
        let pause = patience.left(self).min(LOOK_AGAIN);
        let args = json!({ "timeout_ms": pause.as_millis() as u64 });
        let _: Value =
            self.page().call(Call::new(frame, "page.change", &args).repeatable(), self.deadline).await?;
        Ok(())
    }
}
