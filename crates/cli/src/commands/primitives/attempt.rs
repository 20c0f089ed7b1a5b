//! `actions primitives NAME --try URL`: performs one primitive on a live page and prints output and cost.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actions_dictionary::{CapabilityClass, Primitive};
use actions_engine::browser::chromium::Reach;
use actions_engine::browser::{Browser, Context, ContextOptions, Counters, Deadline, LoadState};
use actions_engine::{CallError, CancellationToken};
use actions_primitives::{Failure, Permits, Stage, perform};
use actions_protocol::{ErrorCode, Exit, Millis};
use serde_json::{Value, json};

use super::{Arguments, Format};
use crate::background::{self, PrimitiveReply, PrimitiveRequest};
use crate::failure::{Around, explain};
use crate::identity_options::keep;
use crate::interrupt;
use crate::json_argument;
use crate::live::context;
use crate::live_session::block_on;
use crate::output::{self, json_text, note};
use crate::text::{counted, line};
use crate::time_limit::TimeLimit;

/// Time limit for opening the page, and for the primitive unless `--timeout` is given.
const TIMEOUT: Duration = Duration::from_secs(30);

/// How long after the primitive's deadline a late response of the page is still accepted as evidence, at most.
const LATE: Duration = Duration::from_secs(2);

/// The outcome of one primitive and its cost.
struct Attempt {
    outcome: Result<Value, CallError>,
    cost: Counters,
    took: Duration,
    /// The address of the page afterwards.
    url: String,
}

pub(super) fn run(primitive: &'static Primitive, url: &str, arguments: &Arguments) -> Exit {
    let args = match json_argument::object("--args", &arguments.args) {
        Ok(args) => Value::Object(args),
        Err(problem) => return refused(&problem.into()),
    };
    match block_on(on_page(primitive, url, args, arguments)) {
        Ok(attempt) => report(primitive, arguments.format, attempt),
        Err(error) => refused(&error),
    }
}

/// Performs the primitive in a background session.
pub(super) fn in_session(primitive: &'static Primitive, session: &str, arguments: &Arguments) -> Exit {
    let args = match json_argument::object("--args", &arguments.args) {
        Ok(args) => Value::Object(args),
        Err(problem) => return refused(&problem.into()),
    };
    let request = PrimitiveRequest {
        primitive: primitive.name.clone(),
        arguments: args,
        page: arguments.page.clone(),
        timeout: arguments.timeout.map(Millis::from),
    };
    let PrimitiveReply { result, commands, round_trips, duration_ms, url } =
        match background::primitive(session, request) {
            Ok(reply) => reply,
            Err(error) => return refused(&error),
        };
    let cost = Counters { commands, round_trips, events: 0 };
    let took = Duration::from_millis(duration_ms);
    report(primitive, arguments.format, Attempt { outcome: result, cost, took, url })
}

/// Performs the primitive. The browser has exited when this returns.
async fn on_page(
    primitive: &'static Primitive,
    url: &str,
    args: Value,
    arguments: &Arguments,
) -> Result<Attempt, CallError> {
    arguments.browser.check()?;
    refuse_early(primitive, &args, arguments.allow_debug)?;
    if let Some(gate) = arguments.site_policy.gate() {
        Box::pin(gate.admit(url, primitive, &args)).await?;
    }
    let identity = arguments.identity.loaded()?;
    let kept = arguments.identity.reserved()?;
    let cancel = CancellationToken::new();
    let _listening = interrupt::listen(cancel.clone());
    let interrupted = || CallError::new(ErrorCode::Cancelled, "the primitive was interrupted");
    let time = TimeLimit::of(arguments.timeout);
    let opened = arguments.browser.open_unless_cancelled(Reach::Open, false, time, &cancel).await?;
    let browser = opened.ok_or_else(interrupted)?;
    let options = ContextOptions { storage_state: identity, ..ContextOptions::default() };
    let attempt = async {
        let context = context(&*browser, options, time).await.map_err(Failure::from)?;
        let attempt = attempt(&*browser, &*context, primitive, url, args, arguments, time).await?;
        if let Some(file) = kept.filter(|_| attempt.outcome.is_ok()) {
            let saving = time.last_work(Deadline::after(&*browser.clock(), TIMEOUT));
            keep(file, &context.storage_state(saving).await.map_err(Failure::from)?)?;
        }
        Ok(attempt)
    };
    let attempt = Box::pin(attempt);
    let missing = || format!("`{}` did not finish", primitive.name);
    let attempt = tokio::select! {
        attempt = time.cutting_off(missing, attempt) => attempt.and_then(|attempt| attempt),
        () = cancel.cancelled() => Err(interrupted()),
    };
    browser.close_by(time.closing()).await;
    attempt
}

/// Refuses what cannot run before a browser is launched.
fn refuse_early(primitive: &Primitive, args: &Value, allow_debug: bool) -> Result<(), Failure> {
    if primitive.class == CapabilityClass::Debug && !allow_debug {
        let message =
            format!("`{}` is a debug primitive, and debug primitives are not allowed", primitive.name);
        return Err(Failure::new(ErrorCode::PermissionDenied, message).with_evidence("policy", "allow_debug"));
    }
    actions_primitives::check(primitive, args.clone()).map(drop)
}

async fn attempt(
    browser: &dyn Browser,
    context: &dyn Context,
    primitive: &'static Primitive,
    url: &str,
    args: Value,
    arguments: &Arguments,
    time: TimeLimit,
) -> Result<Attempt, Failure> {
    let clock = browser.clock();
    let late = arguments.timeout.map_or(LATE, |limit| LATE.min(limit / 4));
    let patience = arguments.timeout.unwrap_or(TIMEOUT);
    let opening = time.or_earlier(Deadline::after(&*clock, patience));
    let page = context.new_page(opening).await?;
    page.navigate(url, LoadState::Load, opening).await?;
    let permits = Permits::default().upload_from(arguments.upload_from.clone());
    let stage = Stage::new(Arc::clone(&page), Arc::clone(&clock), permits).hearing_late_answers(late);
    let deadline = time.or_earlier(Deadline::after(&*clock, patience + late)).earlier_by(late);
    let (before, begun) = (page.counters(), Instant::now());
    let outcome = perform(&stage, primitive, args, deadline).await;
    let took = begun.elapsed();
    let outcome = outcome.map_err(CallError::from);
    Ok(Attempt { outcome, cost: page.counters() - before, took, url: page.url() })
}

fn report(primitive: &Primitive, format: Format, attempt: Attempt) -> Exit {
    let exit = attempt.outcome.as_ref().err().map_or(Exit::Done, CallError::exit);
    if format == Format::Json {
        let cost = json!({ "commands": attempt.cost.commands, "round_trips": attempt.cost.round_trips });
        let mut report = json!({ "primitive": primitive.name, "ok": attempt.outcome.is_ok() });
        match attempt.outcome {
            Ok(value) => report["output"] = value,
            Err(CallError { code, message, evidence, .. }) => {
                report["error"] = json!({ "code": code, "message": message, "evidence": evidence });
            }
        }
        report["url"] = json!(attempt.url);
        report["cost"] = cost;
        report["duration_ms"] = json!(attempt.took.as_millis() as u64);
        json_text(&report.to_string());
        return exit;
    }
    match &attempt.outcome {
        Ok(value) => output::json(value),
        Err(error) => drop(refused(error)),
    }
    note(format_args!(
        "{}: {} in {}, {} ms, page {}",
        primitive.name,
        counted(attempt.cost.commands as usize, "command"),
        counted(attempt.cost.round_trips as usize, "round trip"),
        attempt.took.as_millis(),
        line(&attempt.url),
    ));
    exit
}

/// Prints the error with all of its evidence.
fn refused(error: &CallError) -> Exit {
    explain(error, Around { everything: true, ..Around::default() });
    error.exit()
}
