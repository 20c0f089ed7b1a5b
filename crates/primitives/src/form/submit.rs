//! `form.submit`: submits a form as its submit button would.

use std::time::Duration;

use actions_browser::FrameId;
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Failure;
use crate::locate::Locator;
use crate::patience::Patience;
use crate::scene::Scene;

/// How long the browser may take to report that the content security policy forbids a submission.
const VERDICT: Duration = Duration::from_millis(250);

#[derive(Deserialize)]
pub(crate) struct Args {
    locator: Option<Locator>,
    timeout_ms: u64,
}

#[derive(Deserialize, Serialize)]
pub(crate) struct Output {
    submitted: bool,
    method: String,
    action: String,
    default_prevented: bool,
    /// A description of the button by the page script.
    submitter: Option<Value>,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let patience = Patience::of(&scene, args.timeout_ms);
    let mut question = json!({});
    let frame = match &args.locator {
        Some(locator) => {
            question["locator"] = locator.query().clone();
            scene.path(locator.frames(), patience).await?.frame
        }
        None => scene.page().main_frame(),
    };
    question["deadline_ms"] = json!(patience.left_ms(&scene));
    let submitted: Output = scene.finish_in(&frame, "form.submit", &question).await?;
    if !submitted.default_prevented && is_forbidden(&scene, &frame).await {
        let message = "the content security policy of the page forbids the submission";
        return Err(Failure::new(ErrorCode::InputNotReceived, message)
            .with_evidence("reason", "content_security_policy")
            .with_evidence("action", submitted.action));
    }
    Ok(submitted)
}

/// Whether a content security policy blocks the submission. If the document no longer answers, the submission has replaced
/// it.
async fn is_forbidden(scene: &Scene<'_>, frame: &FrameId) -> bool {
    #[derive(Deserialize)]
    struct Verdict {
        forbidden: bool,
    }
    let wait = json!({ "timeout_ms": VERDICT.min(scene.left_for_the_page()).as_millis() as u64 });
    let verdict = scene.look_in::<Verdict>(frame, "form.forbidden", &wait).await;
    verdict.is_ok_and(|verdict| verdict.forbidden)
}
