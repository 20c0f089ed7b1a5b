use std::time::Duration;

use actions_browser::{Deadline, Error};
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
    let may_navigate = primitive.output_has_path(&["navigation"]) == Some(true);
    if primitive.mutating || may_navigate {
        stage.mark_navigation();
    }
    let patience = wish.unwrap_or(NAVIGATION_TIMEOUT);
    let late = |failure| out_of_time(&scene, failure, cut_short);
    let performed = match may_navigate {
        true => unless_stuck(&scene, run(scene, args), patience).await,
        false => run(scene, args).await,
    };
    let mut output = performed.map_err(late)?;
    if may_navigate && let Some(navigation) = settle_navigation(&scene, patience).await.map_err(late)? {
        output["navigation"] = navigation;
    }
    Ok(output)
}

/// How long the document may take to come that a primitive without a timeout of its own made the page load.
const NAVIGATION_TIMEOUT: Duration = Duration::from_secs(30);

/// How often a primitive that is past its timeout looks whether the page is stuck in a navigation.
const STUCK_INTERVAL: Duration = Duration::from_millis(250);

/// Performs a primitive, and ends it after its timeout if the page is still navigating. Chromium answers no call of the
/// page script while the main frame waits for the response to a navigation.
async fn unless_stuck(
    scene: &Scene<'_>,
    performing: BoxFuture<'_, Result<Value, Failure>>,
    patience: Duration,
) -> Result<Value, Failure> {
    let clock = scene.stage.clock();
    let stuck = async {
        clock.sleep_until(clock.now() + patience).await;
        loop {
            if let Some(to) = scene.page().navigating_to() {
                return not_loaded(scene, to, patience);
            }
            clock.sleep_until(clock.now() + STUCK_INTERVAL).await;
        }
    };
    tokio::select! {
        biased;
        performed = performing => performed,
        failure = stuck => Err(failure),
    }
}

/// The failure of a primitive whose input made the page load a document that did not come in time.
fn not_loaded(scene: &Scene<'_>, to: String, limit: Duration) -> Failure {
    let message = format!(
        "`{}` made the page navigate to {to}, and the new document was not parsed within {limit:?}",
        scene.primitive.name
    );
    Failure::new(ErrorCode::Timeout, message).with_evidence("navigating_to", to)
}

/// Waits for the document that the primitive's input made the page load, so that the next step meets the new page.
async fn settle_navigation(scene: &Scene<'_>, patience: Duration) -> Result<Option<Value>, Failure> {
    let page = scene.page();
    let deadline = scene.deadline.at_most(&*scene.stage.clock(), patience);
    let navigated = match page.settle_navigation(scene.stage.navigation_mark(), deadline).await {
        Ok(navigated) => navigated,
        Err(Error::Timeout { limit, saw, .. }) => {
            let to = page.navigating_to().or(saw).unwrap_or_default();
            return Err(not_loaded(scene, to, limit));
        }
        // The navigation failed or was stopped. The confinement of the page reports the latter.
        Err(Error::NavigationFailed { .. } | Error::RequestRefused(_)) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    Ok(navigated.map(|navigated| {
        let mut navigation = json!({ "url": navigated.url });
        if let Some(status) = navigated.status {
            navigation["status"] = json!(status);
        }
        navigation
    }))
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
