//! Performs a primitive by name: checks its arguments, calls its function, and waits for a navigation that it began.

use std::time::Duration;

use actions_browser::Deadline;
use actions_dictionary::Primitive;
use actions_protocol::{ErrorCode, Timestamp};
use serde_json::{Value, json};

use crate::loading::{settle_navigation, unless_stuck};
use crate::scene::{ANSWERING, Scene};
use crate::services::LogEntry;
use crate::table::{Perform, TABLE};
use crate::{Failure, Stage};

/// How long a document may take to load if the step whose input loads it does not say. The time that is usual to wait for an
/// element is too short for a document.
const NAVIGATION_TIMEOUT: Duration = Duration::from_secs(30);

/// Performs a primitive: checks its arguments against the dictionary, fills in defaults, and calls its function.
pub async fn perform(
    stage: &Stage,
    primitive: &'static Primitive,
    args: Value,
    deadline: Deadline,
) -> Result<Value, Failure> {
    // 0 asks for a single look at the target; it is not about the document that the input makes the page load.
    let asked = args["timeout_ms"].as_u64().filter(|asked| *asked > 0).map(Duration::from_millis);
    let mut args = check(primitive, args)?;
    let run = function(primitive)?;
    let scene = Scene { stage, primitive, deadline };
    if scene.left().is_zero() {
        let message = format!("no time was left for `{}`", primitive.name);
        return Err(Failure::new(ErrorCode::HandlerTimeout, message));
    }
    let wanted = args["timeout_ms"].as_u64().map(Duration::from_millis);
    let cut_short = wanted.is_some_and(|wanted| wanted > scene.left_for_the_page());
    if cut_short {
        args["timeout_ms"] = json!(scene.left_for_the_page().as_millis().max(1) as u64);
    }
    let may_navigate = primitive.output_has_path(&["navigation"]) == Some(true);
    if primitive.mutating || may_navigate {
        stage.mark_navigation();
    }
    let timeout = asked.unwrap_or(NAVIGATION_TIMEOUT);
    let timed = |failure| blame_deadline(&scene, failure, cut_short);
    let began = (stage.clock().now(), stage.clock().unix_millis());
    let performed = match may_navigate {
        true => unless_stuck(&scene, run(scene, args), timeout).await,
        false => run(scene, args).await,
    };
    stage.memory().log.add(LogEntry {
        at: Timestamp::from_unix_millis(began.1),
        primitive: primitive.name.clone(),
        ok: performed.is_ok(),
        error: performed.as_ref().err().map(|failure| failure.code),
        duration_ms: stage.clock().now().saturating_duration_since(began.0).as_millis() as u64,
    });
    let mut output = performed.map_err(timed)?;
    if may_navigate && let Some(navigation) = settle_navigation(&scene, timeout).await.map_err(timed)? {
        output["navigation"] = navigation;
    }
    Ok(output)
}

/// Returns the arguments with defaults filled in. Fails if they do not fit the dictionary, or if this engine does not
/// perform the primitive.
pub fn check(primitive: &Primitive, args: Value) -> Result<Value, Failure> {
    function(primitive)?;
    complete(primitive, args)
}

/// Returns the arguments with defaults filled in. Fails if they do not fit the dictionary.
pub fn complete(primitive: &Primitive, mut args: Value) -> Result<Value, Failure> {
    if args.is_null() {
        args = json!({});
    }
    primitive.apply_defaults(&mut args);
    let errors = primitive.validate_args(&args);
    let Some(first) = errors.first() else { return Ok(args) };
    let place = if first.pointer.is_empty() { String::new() } else { format!(" at {}", first.pointer) };
    let message = format!("the arguments of `{}` do not fit{place}: {}", primitive.name, first.message);
    let listed: Vec<Value> = errors
        .iter()
        .map(|error| json!({ "path": error.pointer, "keyword": error.keyword, "message": error.message }))
        .collect();
    Err(Failure::new(ErrorCode::InvalidInput, message).with_evidence("errors", listed))
}

fn function(primitive: &Primitive) -> Result<Perform, Failure> {
    TABLE.iter().find(|(name, _)| *name == primitive.name).map(|(_, run)| *run).ok_or_else(|| {
        let message = format!("this engine does not perform `{}`", primitive.name);
        Failure::new(ErrorCode::CapabilityUnavailable, message)
    })
}

/// Turns a failure into `handler_timeout` if the deadline of the call caused it, and not the primitive's own timeout. The
/// evidence of what was seen last stays.
fn blame_deadline(scene: &Scene<'_>, failure: Failure, cut_short: bool) -> Failure {
    let unanswered = failure.code == ErrorCode::Timeout && scene.left().is_zero();
    let stopped_waiting = cut_short && scene.left() <= ANSWERING && failure.code.is_unmet_wait();
    if !unanswered && !stopped_waiting {
        return failure;
    }
    let limit = scene.deadline.limit();
    let message = format!("`{}` was not done within {limit:?}: {}", scene.primitive.name, failure.message);
    let late = Failure { code: ErrorCode::HandlerTimeout, message, evidence: failure.evidence };
    if unanswered { late } else { late.with_evidence("cause", failure.code.as_str()) }
}
