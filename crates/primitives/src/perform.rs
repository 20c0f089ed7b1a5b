use std::time::Duration;

use actions_browser::Deadline;
use actions_dictionary::Primitive;
use actions_protocol::ErrorCode;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use crate::scene::{ANSWERING, Scene};
use crate::table::TABLE;
use crate::{Failure, Stage};

/// The function behind a primitive.
pub(crate) type Perform = for<'s> fn(Scene<'s>, Value) -> BoxFuture<'s, Result<Value, Failure>>;

/// Performs a primitive: checks its arguments against the dictionary, fills in defaults, and runs it.
pub async fn perform(
    stage: &Stage,
    primitive: &'static Primitive,
    args: Value,
    deadline: Deadline,
) -> Result<Value, Failure> {
    let mut args = check(primitive, args)?;
    let run = function(primitive)?;
    let scene = Scene { stage, primitive, deadline };
    if scene.left().is_zero() {
        let message = format!("no time was left for `{}`", primitive.name);
        return Err(Failure::new(ErrorCode::HandlerTimeout, message));
    }
    let wish = args["timeout_ms"].as_u64().map(Duration::from_millis);
    let cut_short = wish.is_some_and(|wish| wish > scene.left_for_the_page());
    if cut_short {
        args["timeout_ms"] = json!(scene.left_for_the_page().as_millis().max(1) as u64);
    }
    if primitive.mutating {
        stage.mark_navigation();
    }
    run(scene, args).await.map_err(|failure| out_of_time(&scene, failure, cut_short))
}

/// The arguments with defaults filled in, if the primitive can be performed with them.
pub fn check(primitive: &Primitive, mut args: Value) -> Result<Value, Failure> {
    function(primitive)?;
    if args.is_null() {
        args = json!({});
    }
    primitive.apply_defaults(&mut args);
    let errors = primitive.validate_args(&args);
    let Some(first) = errors.first() else { return Ok(args) };
    let place = if first.pointer.is_empty() { String::new() } else { format!(" at {}", first.pointer) };
    let message = format!("the arguments of `{}` do not fit{place}: {}", primitive.name, first.message);
    let told: Vec<Value> = errors
        .iter()
        .map(|error| json!({ "path": error.pointer, "keyword": error.keyword, "message": error.message }))
        .collect();
    Err(Failure::new(ErrorCode::InvalidInput, message).with_evidence("errors", told))
}

fn function(primitive: &Primitive) -> Result<Perform, Failure> {
    TABLE.iter().find(|(name, _)| *name == primitive.name).map(|(_, run)| *run).ok_or_else(|| {
        let message = format!("this engine does not perform `{}`", primitive.name);
        Failure::new(ErrorCode::CapabilityUnavailable, message)
    })
}

/// A wait that ended because the whole call ran out of time, and not the wait itself: what it saw last is kept.
fn out_of_time(scene: &Scene<'_>, failure: Failure, cut_short: bool) -> Failure {
    let silent = failure.code == ErrorCode::Timeout && scene.left().is_zero();
    let gave_up = cut_short && scene.left() <= ANSWERING && failure.code.is_unmet_wait();
    if !silent && !gave_up {
        return failure;
    }
    let limit = scene.deadline.limit();
    let message = format!("`{}` was not done within {limit:?}: {}", scene.primitive.name, failure.message);
    let told = Failure { code: ErrorCode::HandlerTimeout, message, evidence: failure.evidence };
    if silent { told } else { told.with_evidence("cause", failure.code.as_str()) }
}
