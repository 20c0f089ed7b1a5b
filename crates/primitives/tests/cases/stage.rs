//! A page of a context of its own.

use std::sync::Arc;
use std::time::Duration;

use actions_browser::{Browser, Context, ContextOptions, Deadline, Error, LoadState, Page};
use actions_dictionary::Primitive;
use actions_primitives::{Failure, Permits, Stage, perform};
use serde_json::Value;

use crate::case::fixtures;

const OPENING: Duration = Duration::from_secs(60);

/// A page in a context of its own.
pub(crate) struct Opened {
    pub(crate) stage: Stage,
    pub(crate) page: Arc<dyn Page>,
    context: Arc<dyn Context>,
}

/// A deadline that lies so many milliseconds ahead.
pub(crate) fn within(stage: &Stage, ms: u64) -> Deadline {
    Deadline::after(&*stage.clock(), Duration::from_millis(ms))
}

impl Opened {
    /// Opens a page. A dialog that opens while it loads is part of the case.
    pub(crate) async fn new(browser: &dyn Browser, url: &str, until: LoadState) -> Self {
        let opening = Deadline::after(&*browser.clock(), OPENING);
        let context = browser.new_context(ContextOptions::default(), opening).await.expect("a context opens");
        let page = context.new_page(opening).await.expect("a page opens");
        match page.navigate(url, until, opening).await {
            Ok(_) | Err(Error::DialogOpen(_)) => {}
            Err(error) => panic!("{url} does not open: {error}"),
        }
        let permits = Permits { upload_from: vec![fixtures().join("form/upload")] };
        let stage = Stage::new(page.clone(), browser.clock(), permits);
        Self { stage, page, context }
    }

    pub(crate) async fn close(self, browser: &dyn Browser) {
        let deadline = Deadline::after(&*browser.clock(), OPENING);
        self.context.close(deadline).await.expect("a context can be closed whatever its pages do");
    }

    /// Performs a primitive and holds the answer against the dictionary.
    pub(crate) async fn perform(
        &self,
        primitive: &'static Primitive,
        args: Value,
        deadline_ms: u64,
    ) -> Result<Value, Failure> {
        let answer = perform(&self.stage, primitive, args, within(&self.stage, deadline_ms)).await;
        match &answer {
            Ok(output) => {
                let wrong = primitive.output().validate(output);
                assert!(wrong.is_empty(), "{} gave {output}, which does not fit: {wrong:?}", primitive.name);
            }
            Err(failure) => {
                assert!(primitive.may_give(failure.code), "{} does not declare {failure:?}", primitive.name);
                assert!(!failure.message.trim().is_empty(), "{} says nothing: {failure:?}", primitive.name);
            }
        }
        answer
    }
}
