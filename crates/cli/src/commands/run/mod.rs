//! `actions run`: runs one tool and prints its value.

mod progress;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use actions_engine::browser::{Browser, Deadline, Replay, Screenshot};
use actions_engine::{
    Baseline, CallError, CancellationToken, CheckedInput, Engine, Outcome, Permits, RunEvent, Secrets,
    Session, SiteRequest, StateDiff, StateOptions, TraceRecorder,
};
use actions_manifest::Profile;
use actions_protocol::{ErrorCode, Exit, Millis};
use serde_json::json;

use super::record::Recording;
use crate::failure::{Around, explain};
use crate::item::item;
use crate::live::LiveOptions;
use crate::live_session::{block_on, in_session};
use crate::network::Network;
use crate::output::{self, note, result};
use crate::output_file::OutputFile;
use crate::replay_option::ReplayOption;
use crate::text::visible;
use crate::tool_input::ToolInput;
use crate::watch_options::WatchOptions;
use crate::{changes, maps, trace_folder};
use progress::Progress;

/// Runs one tool of a map
///
/// Standard output carries the value of the tool and nothing else. Secrets of the input are masked in progress, errors
/// and the trace. The value itself is not masked.
#[derive(Debug, clap::Args)]
#[command(after_help = r#"Examples:
  actions run sites/example.com/actions.json search.submit --arg query=maps \
    --replay sites/example.com/recordings/search.har
  echo '{"query": "maps"}' |
    actions run sites/example.com/actions.json search.submit --input - \
      --replay sites/example.com/recordings/search.har
  actions run sites/example.com/actions.json cart.add \
    --input '{"item_id": "night-trams", "copies": 2}' --trace runs/today \
    --replay sites/example.com/recordings/cart.har"#)]
pub(crate) struct Arguments {
    /// Map that declares the tool
    pub(super) map: PathBuf,
    /// Tool to run
    pub(super) tool: String,
    #[command(flatten)]
    pub(super) input: ToolInput,
    /// Print what the call changed in the state of this projection
    #[arg(long, value_name = "PROJECTION")]
    pub(super) diff: Option<String>,
    /// Print exactly one bridge item, on success and on failure
    #[arg(long)]
    pub(super) item: bool,
    /// Save a screenshot of the page when the call ends
    #[arg(long, value_name = "FILE.png")]
    pub(super) screenshot: Option<PathBuf>,
    #[command(flatten)]
    pub(super) watch: WatchOptions,
    #[command(flatten)]
    pub(super) live: LiveOptions,
    #[command(flatten)]
    pub(super) replay: ReplayOption,
    /// The recording in progress, if `actions record` runs the tool.
    #[arg(skip)]
    pub(super) recording: Option<Arc<Recording>>,
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    let profile = if arguments.live.lenient { Profile::Lenient } else { Profile::Strict };
    let manifest = match maps::load(&arguments.map, profile) {
        Ok(manifest) => manifest,
        Err(error) => {
            let exit = error.exit();
            if arguments.item {
                result(item(None, Err(error), &[]).to_json());
            }
            return exit;
        }
    };
    let engine = Engine::new(manifest)
        .with_limits(arguments.live.limits())
        .with_policy(arguments.live.rules())
        .with_origins(arguments.live.origins())
        .allow_http_error(arguments.live.allow_http_error)
        .with_permits(Permits::default().upload_from(arguments.live.upload_from.clone()));
    let outcome = block_on(perform(&engine, &arguments));
    // Save the recording first: writing the value may fail, and the recording cannot be made again.
    let kept = arguments.recording.as_ref().map_or(Exit::Done, |recording| recording.keep());
    match report(&engine, &arguments, outcome) {
        Exit::Done => kept,
        exit => exit,
    }
}

/// The outcome of the call, and what it changed.
struct Performed {
    outcome: Outcome,
    diff: Option<Result<StateDiff, CallError>>,
}

/// Runs the tool. The browser has exited when this returns.
async fn perform(engine: &Engine, arguments: &Arguments) -> Result<Performed, CallError> {
    // Refuse what cannot run before a browser is launched.
    let plan = engine.plan(&arguments.tool)?;
    let input = arguments.input.read(|name, text| plan.argument(name, text))?;
    let input = plan.accept(input)?;
    if let Some(projection) = &arguments.diff {
        engine.check_request(&diff_of(projection))?;
    }
    if let Some(folder) = &arguments.watch.trace {
        trace_folder::check(folder)?;
    }
    arguments.live.browser.check()?;
    let archive = arguments.replay.recording()?;
    if let Some(outcome) = without_page(engine, arguments, &input)? {
        return Ok(Performed { outcome, diff: None });
    }
    let secrets = input.secrets();
    let network = Network {
        replay: archive.map(|archive| Arc::new(Replay::new(archive).concealing(&secrets))),
        recorder: arguments.recording.as_ref().map(|recording| recording.recorder()),
        report_failures: arguments.watch.trace.is_some(),
    };
    let progress = Progress::new(arguments.watch.quiet, arguments.watch.verbose);
    let performed = in_session(
        engine,
        &arguments.live,
        arguments.watch.quiet,
        &network,
        async |session, browser, cancel| on_page(arguments, input, &progress, session, browser, cancel).await,
    );
    let performed = performed.await;
    progress.finish();
    if !arguments.watch.quiet {
        match &performed {
            Ok(Performed { outcome, .. }) => {
                network.warn_about_misses(outcome.result.as_ref().err(), &outcome.secrets);
            }
            // The call never started, so nothing was derived from the secrets.
            Err(error) => network.warn_about_misses(Some(error), &Secrets::default()),
        }
    }
    performed
}

/// Runs a tool that needs no page, unless something else is wanted of the page.
fn without_page(
    engine: &Engine,
    arguments: &Arguments,
    input: &CheckedInput,
) -> Result<Option<Outcome>, CallError> {
    let wants_page =
        arguments.diff.is_some() || arguments.screenshot.is_some() || arguments.recording.is_some();
    if wants_page || !input.is_static() {
        return Ok(None);
    }
    let trace = open_trace(arguments)?;
    let outcome = engine.answer_static(input, &(), trace.as_ref());
    close_trace(trace.as_ref());
    Ok(outcome)
}

/// Opens the trace if one is wanted.
fn open_trace(arguments: &Arguments) -> Result<Option<TraceRecorder>, CallError> {
    let trace = arguments.watch.trace.as_ref().map(TraceRecorder::create);
    trace.transpose().map_err(trace_folder::unusable)
}

/// Completes the trace. A failure is only a warning: it does not change the outcome of the call.
fn close_trace(trace: Option<&TraceRecorder>) {
    if let Some(Err(error)) = trace.map(TraceRecorder::finish) {
        note(format_args!("warning: the trace is not complete: {error}"));
    }
}

async fn on_page(
    arguments: &Arguments,
    input: CheckedInput,
    progress: &Progress,
    session: &Session,
    browser: &dyn Browser,
    cancel: &CancellationToken,
) -> Result<Performed, CallError> {
    let trace = open_trace(arguments)?;
    if let Some(projection) = &arguments.diff {
        // This may fail: the projection need not apply to the start page.
        let _ = session.site(diff_of(projection)).cancelled_by(cancel.clone()).run().await;
    }
    let watch = |event: &RunEvent| progress.event(event);
    let call = session.call_with(input).observer(&watch).cancelled_by(cancel.clone());
    let call = match &trace {
        Some(trace) => call.trace(trace),
        None => call,
    };
    let outcome = call.run().await;
    progress.finish();
    close_trace(trace.as_ref());
    let diff = match &arguments.diff {
        Some(projection) => {
            // A call that failed before it touched the page leaves nothing to wait for.
            let may_change = outcome.result.as_ref().map_or_else(|error| error.mutated, |_| true);
            let wait = if may_change { DIFF_WAIT } else { Millis(0) };
            Some(tokio::select! {
                biased;
                () = cancel.cancelled() => {
                    Err(CallError::new(ErrorCode::Cancelled, "the command was cancelled"))
                }
                diff = session.diff(projection, StateOptions::default().wait(wait)) => diff,
            })
        }
        None => None,
    };
    if let Some(recording) = &arguments.recording {
        recording.conceal(outcome.secrets.texts());
        recording.finish(browser).await;
    }
    if let Some(file) = &arguments.screenshot {
        save_screenshot(session, file, browser, arguments.watch.quiet).await;
    }
    Ok(Performed { outcome, diff })
}

fn diff_of(projection: &str) -> SiteRequest {
    SiteRequest::StateDiff { projection: projection.to_owned(), max_bytes: None, timeout: None }
}

/// How long `--diff` waits for a change before it says that nothing changed: pages save later than they are clicked.
const DIFF_WAIT: Millis = Millis(2_000);

/// Saves a screenshot. A failure is only a warning: it does not change the outcome of the call.
async fn save_screenshot(session: &Session, file: &Path, browser: &dyn Browser, quiet: bool) {
    let deadline = Deadline::after(&*browser.clock(), SCREENSHOT_TIMEOUT);
    let taken =
        session.page().screenshot(Screenshot::default(), deadline).await.map_err(|error| error.to_string());
    let kept = taken.and_then(|image| {
        let written = OutputFile::create_with_folders(file).and_then(|file| file.keep(&image));
        written.map_err(|error| error.to_string())
    });
    match kept {
        Ok(()) if quiet => {}
        Ok(()) => note(format_args!("screenshot: {}", file.display())),
        Err(error) => note(format_args!("warning: no screenshot at {}: {error}", file.display())),
    }
}

/// Time limit of the screenshot.
const SCREENSHOT_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(10);

fn report(engine: &Engine, arguments: &Arguments, performed: Result<Performed, CallError>) -> Exit {
    let (call_id, outcome, steps, diff) = match performed {
        Ok(Performed { outcome, diff }) => {
            if let Some(diff) = diff.as_ref().filter(|_| !arguments.watch.quiet && !arguments.item) {
                print_changes(diff, &outcome.secrets);
            }
            (Some(outcome.call_id), outcome.result, outcome.steps, diff)
        }
        Err(error) => (None, Err(error), Vec::new(), None),
    };
    let exit = outcome.as_ref().err().map_or(Exit::Done, CallError::exit);
    let diff = diff.and_then(Result::ok).map(|diff| json!(diff));
    if arguments.item {
        let mut item = json!(item(call_id, outcome, &steps));
        diff.into_iter().for_each(|diff| item["state_diff"] = diff);
        result(item);
        return exit;
    }
    match (outcome, diff) {
        (Ok(value), None) if arguments.diff.is_none() => output::json(&value),
        (Ok(value), diff) => output::json(&json!({ "value": value, "diff": diff })),
        (Err(error), _) => {
            let diff = arguments.diff.as_ref().map(|diff| ("projections", diff.as_str()));
            let asked_for: Vec<_> = diff.into_iter().chain([("tools", arguments.tool.as_str())]).collect();
            explain(
                &error,
                Around { map: Some(engine.manifest()), asked_for: &asked_for, everything: false },
            );
        }
    }
    exit
}

/// Prints what the call changed, with secrets masked.
fn print_changes(diff: &Result<StateDiff, CallError>, secrets: &Secrets) {
    match diff {
        Ok(diff) if diff.baseline == Baseline::Initialized => {
            let name = &diff.observation.projection;
            note(format_args!(
                "{name}: did not apply to the page before the call, so there is nothing to compare with"
            ));
        }
        Ok(diff) => changes::lines(&changes::masked(diff, secrets)).into_iter().for_each(note),
        Err(error) => {
            let message = visible(&secrets.mask(error.message.as_str()));
            note(format_args!("note: cannot tell what changed: {message}"));
        }
    }
}
