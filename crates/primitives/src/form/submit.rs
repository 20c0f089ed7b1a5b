//! `form.submit`: submits a form as its submit button would.

use std::time::Duration;

use actions_browser::FrameId;
use actions_protocol::ErrorCode;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Failure;
use crate::patience::Patience;
use crate::scene::Scene;

/// How long the browser may take to report that the content security policy forbids a submission.
const VERDICT: Duration = Duration::from_millis(250);

pub(crate) async fn perform(scene: Scene<'_>, mut args: Value) -> Result<Value, Failure> {
    let wish = args.as_object_mut().and_then(|keys| keys.remove("timeout_ms"));
    let patience = Patience::of(&scene, wish.and_then(|wish| wish.as_u64()).unwrap_or(0));
    let (path, mut args) = scene.aim(&args, patience).await?;
    args["deadline_ms"] = json!(patience.left_ms(&scene));
    let submitted: Value = scene.finish_in(&path.frame, "form.submit", &args).await?;
    if submitted["default_prevented"] == false && is_forbidden(&scene, &path.frame).await {
        let message = "the content security policy of the page forbids the submission";
        return Err(Failure::new(ErrorCode::InputNotReceived, message)
            .with_evidence("reason", "content_security_policy")
            .with_evidence("action", submitted["action"].clone()));
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
