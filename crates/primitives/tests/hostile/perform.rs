//! Performs a case on its own page.

use std::sync::Arc;
use std::time::Duration;

use actions_browser::{Browser, ContextOptions, Deadline, Error, LoadState, Page};
use actions_dictionary::{Dictionary, Primitive};
use actions_primitives::{Failure, Permits, Stage, perform};
use actions_protocol::ErrorCode;
use serde_json::Value;

use crate::case::{Case, Outcome, Step};
use crate::site::Site;

const OPENING: Duration = Duration::from_secs(90);
const GRACE: Duration = Duration::from_secs(1);
/// The factor for the deadline of a case that is not about time, and for the timeout of a step that should succeed.
const AMPLE: u64 = 4;
/// The longest timeout of a step, in milliseconds.
const LONGEST_MS: u64 = 60_000;

/// The outcome of a case.
#[derive(Debug)]
pub(crate) enum Answer {
    Success(Value),
    Refusal(Failure),
    Hang,
}

/// A performed case: its outcome, and its page, which stays open until the records are read.
pub(crate) struct Performed {
    pub(crate) answer: Answer,
    /// The parts of the outcome that the dictionary does not declare.
    pub(crate) undeclared: Vec<String>,
    pub(crate) stage: Stage,
    context: Arc<dyn actions_browser::Context>,
}

impl Performed {
    pub(crate) async fn close(self, browser: &dyn Browser) {
        let deadline = Deadline::after(&*browser.clock(), OPENING);
        self.context.close(deadline).await.expect("a context can be closed whatever its pages do");
    }
}

/// Opens the page of a case and performs its steps. The outcome is that of the first step that fails, or of the last.
pub(crate) async fn perform_case(browser: &dyn Browser, site: &Site, case: &Case) -> Performed {
    let opening = Deadline::after(&*browser.clock(), OPENING);
    let context = browser.new_context(ContextOptions::default(), opening).await.expect("a context opens");
    let page = context.new_page(opening).await.expect("a page opens");
    open(&*page, &site.url(case), opening).await;
    let stage = Stage::new(page, browser.clock(), Permits::default());
    let mut answer = Answer::Hang;
    let mut undeclared = Vec::new();
    // Cases that are not about time get more of it, so that they do not fail on a busy machine.
    let about_time = case.expect.codes.contains(&ErrorCode::HandlerTimeout);
    let deadline_ms = if about_time { case.deadline_ms } else { case.deadline_ms * AMPLE };
    for (index, step) in case.perform.iter().enumerate() {
        let primitive =
            Dictionary::builtin().get(&step.primitive).expect("cases use primitives of the dictionary");
        let succeeds = case.expect.outcome == Outcome::Success || index + 1 < case.perform.len();
        let args = arguments(site, primitive, step, succeeds);
        answer = perform_step(&stage, primitive, args, deadline_ms).await;
        undeclared.extend(undeclared_of(primitive, &answer));
        if !matches!(answer, Answer::Success(_)) {
            break;
        }
    }
    Performed { answer, undeclared, stage, context }
}

/// Opens the page. A dialog may open while it loads.
async fn open(page: &dyn Page, url: &str, deadline: Deadline) {
    match page.navigate(url, LoadState::Load, deadline).await {
        Ok(_) | Err(Error::DialogOpen(_)) => {}
        Err(error) => panic!("{url} does not open: {error}"),
    }
}

/// The parts of an outcome that the dictionary does not declare: parts of the output, or the code.
fn undeclared_of(primitive: &Primitive, answer: &Answer) -> Vec<String> {
    match answer {
        Answer::Success(output) => primitive
            .output()
            .validate(output)
            .into_iter()
            .map(|error| {
                format!("the output of {} at {:?}: {}", primitive.name, error.pointer, error.message)
            })
            .collect(),
        Answer::Refusal(failure) if !primitive.may_give(failure.code) => {
            vec![format!("{} does not declare {}", primitive.name, failure.code)]
        }
        Answer::Refusal(_) | Answer::Hang => Vec::new(),
    }
}

/// The arguments of a step. A step that should succeed gets a longer timeout, so that it does not fail on a busy machine.
fn arguments(site: &Site, primitive: &Primitive, step: &Step, succeeds: bool) -> Value {
    let mut args: Value =
        serde_json::from_str(&site.fill(&step.args.to_string())).expect("an origin needs no escape in JSON");
    let mut complete = args.clone();
    primitive.apply_defaults(&mut complete);
    if let Some(own_ms) = complete["timeout_ms"].as_u64().filter(|_| succeeds) {
        args["timeout_ms"] = Value::from((own_ms * AMPLE).min(LONGEST_MS));
    }
    args
}

async fn perform_step(stage: &Stage, primitive: &'static Primitive, args: Value, deadline_ms: u64) -> Answer {
    let own_ms = args["timeout_ms"].as_u64().unwrap_or(0);
    let limit = Duration::from_millis(deadline_ms.max(own_ms));
    let deadline = Deadline::after(&*stage.clock(), limit);
    match tokio::time::timeout(limit + GRACE, perform(stage, primitive, args, deadline)).await {
        Ok(Ok(output)) => Answer::Success(output),
        Ok(Err(failure)) => Answer::Refusal(failure),
        Err(_) => Answer::Hang,
    }
}
