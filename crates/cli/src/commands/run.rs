use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use actions_engine::browser::{Archive, Browser, Deadline, Replay, Screenshot};
use actions_engine::{
    Baseline, CallError, CancellationToken, Engine, Outcome, RunEvent, Session, SiteAnswer, SiteRequest,
    StateDiff,
};
use actions_manifest::Profile;
use actions_protocol::Exit;
use serde_json::{Value, json};

use super::record::Recording;
use crate::failed_call::explain;
use crate::item::item;
use crate::live::LiveOptions;
use crate::live_session::{Network, block_on, in_session};
use crate::output::{self, note, result};
use crate::text::visible;
use crate::tool_input::ToolInput;
use crate::{changes, maps};

/// Performs one tool of a map.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  actions run sites/example.com/actions.json search.submit --input '{\"query\":\"maps\"}'\n  actions run actions.json cart.add --arg id=atlas-1 --arg copies=2\n  echo '{\"query\":\"maps\"}' | actions run actions.json search.submit --input -"
)]
pub(crate) struct Arguments {
    /// The map
    pub(super) map: PathBuf,
    /// The tool
    pub(super) tool: String,
    #[command(flatten)]
    pub(super) input: ToolInput,
    /// Tell what the call changed in the state that this projection shows
    #[arg(long, value_name = "PROJECTION")]
    pub(super) diff: Option<String>,
    /// Write exactly one bridge item, whatever happens
    #[arg(long)]
    pub(super) item: bool,
    /// Keep a picture of the page as it is at the end
    #[arg(long, value_name = "FILE.png")]
    pub(super) screenshot: Option<PathBuf>,
    /// Say nothing on the way
    #[arg(short, long)]
    pub(super) quiet: bool,
    /// Tell every step, even if nobody watches on a terminal
    #[arg(short, long, conflicts_with = "quiet")]
    pub(super) verbose: bool,
    #[command(flatten)]
    pub(super) live: LiveOptions,
    /// What is recorded on the way.
    #[arg(skip)]
    pub(super) recording: Option<Arc<Recording>>,
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    let profile = if arguments.live.lenient { Profile::Lenient } else { Profile::Strict };
    let manifest = match maps::load(&arguments.map, profile) {
        Ok(manifest) => manifest,
        Err(exit) => return exit,
    };
    let input = match arguments.input.read() {
        Ok(input) => input,
        Err(problem) => {
            note(format_args!("error: {problem}"));
            return Exit::Invalid;
        }
    };
    let engine = Engine::new(manifest)
        .with_limits(arguments.live.limits())
        .with_policy(arguments.live.policy())
        .with_permits(actions_engine::Permits { upload_from: arguments.live.upload_from.clone() });
    let archive = match arguments.live.recording() {
        Ok(archive) => archive,
        Err(exit) => return exit,
    };
    let outcome = block_on(perform(&engine, &arguments, input, archive));
    tell(&engine, &arguments, outcome)
}

/// What came of the call, and what it changed.
struct Performed {
    outcome: Outcome,
    diff: Option<Result<StateDiff, CallError>>,
}

/// Performs the tool; the browser is gone when this returns.
async fn perform(
    engine: &Engine,
    arguments: &Arguments,
    input: Value,
    archive: Option<Arc<Archive>>,
) -> Result<Performed, CallError> {
    // What cannot run needs no browser.
    let plan = engine.plan(&arguments.tool)?;
    plan.check_arguments(&input)?;
    if let Some(projection) = &arguments.diff {
        engine.check_request(&diff_of(projection))?;
    }
    let secrets = plan.secrets(&input);
    let network = Network {
        replay: archive.map(|archive| Arc::new(Replay::new(archive).concealing(&secrets))),
        recorder: arguments.recording.as_ref().map(|recording| recording.recorder()),
    };
    if let Some(recording) = &arguments.recording {
        recording.conceal(secrets);
    }
    let performed = in_session(engine, &arguments.live, &network, async |session, browser, cancel| {
        on_page(arguments, input, session, browser, cancel).await
    });
    let performed = performed.await;
    if !arguments.quiet {
        let failed =
            performed.as_ref().map_or_else(Some, |performed| performed.outcome.result.as_ref().err());
        network.tell_misses(failed);
    }
    performed
}

async fn on_page(
    arguments: &Arguments,
    input: Value,
    session: &Session,
    browser: &dyn Browser,
    cancel: &CancellationToken,
) -> Result<Performed, CallError> {
    if let Some(projection) = &arguments.diff {
        // The page the tool starts on need not be one the projection applies to.
        let _ = session.site(diff_of(projection)).cancelled_by(cancel.clone()).run().await;
    }
    let watched = !arguments.quiet && std::io::stderr().is_terminal();
    let progress = Progress { shown: arguments.verbose || watched };
    let watch = |event: &RunEvent| progress.event(event);
    let call = session.call(&arguments.tool).arguments(input).observer(&watch).cancelled_by(cancel.clone());
    let outcome = call.run().await;
    let diff = match &arguments.diff {
        Some(projection) => {
            let answer = session.site(diff_of(projection)).cancelled_by(cancel.clone()).run().await.result;
            Some(answer.and_then(only_diff))
        }
        None => None,
    };
    if let Some(recording) = &arguments.recording {
        recording.finish(browser).await;
    }
    if let Some(file) = &arguments.screenshot {
        keep_picture(session, file, browser).await;
    }
    Ok(Performed { outcome, diff })
}

fn diff_of(projection: &str) -> SiteRequest {
    SiteRequest::StateDiff { projection: projection.to_owned(), max_bytes: None, timeout: None }
}

fn only_diff(answer: SiteAnswer) -> Result<StateDiff, CallError> {
    match answer {
        SiteAnswer::Diff(diff) => Ok(diff),
        _ => Err(CallError::new(actions_protocol::ErrorCode::InternalError, "a difference was asked for")),
    }
}

/// Keeps a picture of the page; that there is none changes nothing about the call.
async fn keep_picture(session: &Session, file: &Path, browser: &dyn Browser) {
    let deadline = Deadline::after(&*browser.clock(), PICTURE);
    let taken =
        session.page().screenshot(Screenshot::default(), deadline).await.map_err(|error| error.to_string());
    let kept = taken.and_then(|picture| {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let made = folder.map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| std::fs::write(file, picture)).map_err(|error| error.to_string())
    });
    match kept {
        Ok(()) => note(format_args!("screenshot: {}", file.display())),
        Err(error) => note(format_args!("warning: no screenshot at {}: {error}", file.display())),
    }
}

/// How long a picture may take.
const PICTURE: std::time::Duration = std::time::Duration::from_secs(10);

/// Steps as they happen, for a person.
struct Progress {
    shown: bool,
}

impl Progress {
    fn event(&self, event: &RunEvent) {
        if !self.shown {
            return;
        }
        match event {
            RunEvent::StepFinished { summary, .. } => {
                let mark = match (summary.ok, summary.skipped) {
                    (_, true) => "–",
                    (true, false) => "✓",
                    (false, false) => "✗",
                };
                let settle = summary
                    .settle
                    .as_ref()
                    .filter(|settle| !settle.ok)
                    .map(|_| "  (did not settle)")
                    .unwrap_or("");
                note(format_args!(
                    "  {mark} {:<24} {:<24} {:>6} ms{settle}",
                    summary.id.as_str(),
                    summary.primitive,
                    summary.duration_ms
                ));
            }
            RunEvent::PostconditionChecked { projection, ok, waited_ms, .. } => {
                let mark = if *ok { "✓" } else { "✗" };
                note(format_args!("  {mark} {:<24} {projection:<24} {waited_ms:>6} ms", "postcondition"));
            }
            _ => {}
        }
    }
}

fn tell(engine: &Engine, arguments: &Arguments, performed: Result<Performed, CallError>) -> Exit {
    let (call_id, outcome, diff) = match performed {
        Ok(Performed { outcome, diff }) => (Some(outcome.call_id), outcome.result, diff),
        Err(error) => (None, Err(error), None),
    };
    let exit = outcome.as_ref().err().map_or(Exit::Done, CallError::exit);
    if let Some(diff) = diff.as_ref().filter(|_| !arguments.quiet && !arguments.item) {
        tell_changes(diff);
    }
    let diff = diff.and_then(Result::ok).map(|diff| json!(diff));
    if arguments.item {
        let mut item = json!(item(call_id, outcome));
        diff.into_iter().for_each(|diff| item["state_diff"] = diff);
        result(item);
        return exit;
    }
    match (outcome, diff) {
        (Ok(value), None) if arguments.diff.is_none() => output::json(&value),
        (Ok(value), diff) => output::json(&json!({ "value": value, "diff": diff })),
        (Err(error), _) => explain(engine, &arguments.tool, &error),
    }
    exit
}

/// What the call changed, for a person.
fn tell_changes(diff: &Result<StateDiff, CallError>) {
    match diff {
        Ok(diff) if diff.baseline == Baseline::Initialized => {
            let name = &diff.observation.projection;
            note(format_args!(
                "{name}: it did not apply before the call, so there is nothing to compare with"
            ));
        }
        Ok(diff) => changes::lines(diff).into_iter().for_each(note),
        Err(error) => note(format_args!("note: what changed is not known: {}", visible(&error.message))),
    }
}
