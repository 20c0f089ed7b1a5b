//! `actions run`: runs one tool and prints its value.

mod progress;
mod traversal;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use actions_engine::browser::{Browser, Replay};
use actions_engine::{
    CallError, CallId, CancellationToken, CheckedInput, Engine, RunEvent, Secrets, Session, StepSummary,
};
use actions_manifest::{CheckedManifest, Profile};
use actions_protocol::{Exit, Millis};
use serde_json::{Value, json};

use crate::background::{self, RecordRequest, RunReply, RunRequest};
use crate::calling::{Extras, Performed, changed};
use crate::consent_options::ConsentOptions;
use crate::failure::{Around, explain};
use crate::host::CommandHost;
use crate::interrupt;
use crate::item::item;
use crate::live::LiveOptions;
use crate::live_session::{block_on, in_session};
use crate::maps::{self, Wanted};
use crate::network::Network;
use crate::output::{self, json_text, note};
use crate::published;
use crate::recording::Recording;
use crate::replay_option::ReplayOption;
use crate::session_options::{InSession, needs_map, refuse_start_options};
use crate::tool_input::ToolInput;
use crate::verified_by::with_person;
use crate::watch_options::WatchOptions;
use progress::Progress;

/// Runs one tool of a map
///
/// Standard output carries the value of the tool and nothing else. Secrets of the input are masked in progress, errors
/// and the trace. The value itself is not masked.
#[derive(Debug, clap::Args)]
#[command(
    allow_missing_positional = true,
    after_help = r#"Examples:
  actions run sites/example.com/actions.json search.submit --arg query=maps \
    --replay sites/example.com/recordings/search.har
  echo '{"query": "maps"}' |
    actions run sites/example.com/actions.json search.submit --input - \
      --replay sites/example.com/recordings/search.har
  actions run sites/example.com/actions.json cart.add \
    --input '{"item_id": "night-trams", "copies": 2}' --trace runs/today \
    --replay sites/example.com/recordings/cart.har"#
)]
pub(crate) struct Arguments {
    /// Map that declares the tool, a storage root, or the address of a site; may be left out in a session
    pub(super) map: Option<PathBuf>,
    /// Tool to run
    pub(super) tool: String,
    #[command(flatten)]
    pub(super) input: ToolInput,
    /// Print what the call changed in the state of this projection
    #[arg(long, value_name = "PROJECTION")]
    pub(super) diff: Option<String>,
    /// Repeat the tool until the `convergence` of this transition ends it
    #[arg(long, value_name = "TRANSITION")]
    pub(super) traverse: Option<String>,
    /// Print exactly one bridge item, on success and on failure
    #[arg(long)]
    pub(super) item: bool,
    /// Save a screenshot of the page when the call ends
    #[arg(long, value_name = "FILE.png")]
    pub(super) screenshot: Option<PathBuf>,
    #[command(flatten)]
    pub(super) consent: ConsentOptions,
    #[command(flatten)]
    pub(super) watch: WatchOptions,
    #[command(flatten)]
    pub(super) within: InSession,
    #[command(flatten)]
    pub(super) live: LiveOptions,
    #[command(flatten)]
    pub(super) replay: ReplayOption,
    /// The recording in progress, if `actions record` runs the tool.
    #[arg(skip)]
    pub(super) recording: Option<Arc<Recording>>,
    /// What the process of a session records, if `actions record` runs the tool there.
    #[arg(skip)]
    pub(super) in_session: Option<RecordRequest>,
}

impl Arguments {
    /// Whether nothing is asked for that needs a page.
    fn wants_no_page(&self) -> bool {
        let asks = self.recording.is_some() || self.traverse.is_some() || self.diff.is_some();
        let shows = self.screenshot.is_some() || self.live.url.is_some();
        !asks && !shows && self.live.identity.is_unused()
    }
}

/// How the call ended, wherever it ran.
struct Ended {
    call_id: Option<CallId>,
    result: Result<Value, CallError>,
    steps: Vec<StepSummary>,
    /// The difference as JSON.
    diff: Option<Value>,
    /// What changed, in lines for people.
    changes: Vec<String>,
}

impl Ended {
    fn early(error: CallError) -> Self {
        Self { call_id: None, result: Err(error), steps: Vec::new(), diff: None, changes: Vec::new() }
    }
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    if let Some(session) = &arguments.within.session {
        let ended = in_background(session, &arguments).unwrap_or_else(Ended::early);
        let map = ended.result.as_ref().err().and_then(maps::of_error);
        return report(map.as_ref(), &arguments, ended);
    }
    let profile = if arguments.live.lenient { Profile::Lenient } else { Profile::Strict };
    let mut arguments = arguments;
    let address = arguments.map.as_deref().and_then(published::address_of).map(str::to_owned);
    let manifest = match &arguments.map {
        Some(_) if address.is_some() => {
            let address = address.as_deref().unwrap_or_default();
            published::map(address, profile, &arguments.tool, arguments.live.timeout)
        }
        Some(map) => maps::choose(map, profile, arguments.live.url.as_deref(), Wanted::Tool(&arguments.tool)),
        None => {
            let error = needs_map("run");
            explain(&error, Around::default());
            Err(error)
        }
    };
    let manifest = match manifest {
        Ok(manifest) => manifest,
        Err(error) => {
            let exit = error.exit();
            if arguments.item {
                json_text(&item(None, Err(error), &[]).to_json());
            }
            return exit;
        }
    };
    if address.is_some() {
        // The namespace of a site that is called directly need not be written.
        arguments.tool = published::exposed(&manifest, &arguments.tool);
        arguments.consent = arguments.consent.named(|name| published::exposed(&manifest, name));
    }
    let engine = arguments.live.engine_for(manifest, arguments.replay.is_given());
    let engine = with_person(engine, arguments.consent.confirmed()).with_consent(arguments.consent.consent());
    let ended =
        block_on(perform(&engine, &arguments)).map_or_else(Ended::early, |Performed { outcome, diff }| {
            Ended {
                changes: diff.as_ref().map(|diff| changed(diff, &outcome.secrets)).unwrap_or_default(),
                diff: diff.and_then(Result::ok).map(|diff| json!(diff)),
                call_id: Some(outcome.call_id),
                result: outcome.result,
                steps: outcome.steps,
            }
        });
    // Save the recording first: writing the value may fail, and the recording cannot be made again.
    let kept = arguments.recording.as_ref().map_or(Exit::Done, |recording| recording.keep(&note));
    match report(Some(engine.manifest()), &arguments, ended) {
        Exit::Done => kept,
        exit => exit,
    }
}

/// Runs the tool in a background session.
fn in_background(session: &str, arguments: &Arguments) -> Result<Ended, CallError> {
    refuse_start_options(&arguments.live, Some(&arguments.replay))?;
    let progress = Progress::new(arguments.watch.quiet, arguments.watch.verbose);
    let request = RunRequest {
        tool: arguments.tool.clone(),
        map: arguments.map.as_deref().map(absolute),
        input: arguments.input.text()?,
        page: arguments.within.page.clone(),
        timeout: arguments.live.timeout.map(Millis::from),
        traverse: arguments.traverse.clone(),
        record: arguments.in_session.clone(),
        diff: arguments.diff.clone(),
        trace: arguments.watch.trace.as_deref().map(absolute),
        screenshot: arguments.screenshot.as_deref().map(absolute),
        save_storage_state: arguments.live.identity.save_storage_state.as_deref().map(absolute),
        quiet: arguments.watch.quiet,
        consent: arguments.consent.clone(),
    };
    let reply = background::run(session, request, &|event| progress.event(event));
    progress.finish();
    let RunReply { call_id, result, steps, diff, changes } = reply.map_err(maps::from_here)?;
    let result = result.map_err(maps::from_here);
    Ok(Ended { call_id: Some(call_id), result, steps, diff, changes })
}

/// A path that means the same in another process.
fn absolute(path: &Path) -> PathBuf {
    let absolute = std::fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    absolute.unwrap_or_else(|_| path.to_owned())
}

/// Runs the tool in a new browser. The browser has exited when this returns.
async fn perform(engine: &Engine, arguments: &Arguments) -> Result<Performed, CallError> {
    // Refuse what cannot run before a browser is launched.
    let plan = engine.plan(&arguments.tool)?;
    let input = arguments.input.read(|name, text| plan.argument(name, text))?;
    let input = plan.accept(input)?;
    let extras = Extras {
        diff: arguments.diff.clone(),
        trace: arguments.watch.trace.clone(),
        screenshot: arguments.screenshot.clone(),
        quiet: arguments.watch.quiet,
        time: arguments.live.time(),
    };
    extras.check(engine)?;
    if let Some(transition) = &arguments.traverse {
        engine.check_traversal(transition, &arguments.tool)?;
    }
    arguments.live.browser.check()?;
    let archive = arguments.replay.recording()?;
    if arguments.recording.is_none()
        && arguments.traverse.is_none()
        && let Some(outcome) = extras.without_page(engine, &input, &note)?
    {
        return Ok(Performed { outcome, diff: None });
    }
    let secrets = input.secrets().unwrap_or_default();
    let network = Network {
        replay: archive.map(|archive| Arc::new(Replay::new(archive).concealing(&secrets))),
        recorder: arguments.recording.as_ref().map(|recording| recording.recorder()),
        report_failures: arguments.watch.trace.is_some(),
        steady: arguments.recording.as_ref().and_then(|recording| recording.steady()),
    };
    let progress = Progress::new(arguments.watch.quiet, arguments.watch.verbose);
    if !plan.needs_page() && arguments.wants_no_page() {
        return Box::pin(without_browser(engine, arguments, &extras, input, &progress, &network)).await;
    }
    let performed = in_session(
        engine,
        &arguments.live,
        arguments.watch.quiet,
        &network,
        async |session, browser, cancel| {
            let host = host(arguments, &network);
            let session = &session.clone().with_host(host);
            on_page(arguments, &extras, input, &progress, session, Some(browser), cancel).await
        },
    );
    let performed = Box::pin(performed).await;
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

/// What this command offers to primitives: a sender of requests.
fn host(arguments: &Arguments, network: &Network) -> Arc<CommandHost> {
    CommandHost::new(&[], None, network.replay.as_ref(), arguments.live.identity_of_agent())
}

/// Runs a tool that needs no page, without a browser.
async fn without_browser(
    engine: &Engine,
    arguments: &Arguments,
    extras: &Extras,
    input: CheckedInput,
    progress: &Progress,
    network: &Network,
) -> Result<Performed, CallError> {
    let engine = arguments.live.time().work().into_iter().fold(engine.clone(), Engine::ending_at);
    let session = engine.without_page().with_host(host(arguments, network));
    let cancel = CancellationToken::new();
    let _listening = interrupt::listen(cancel.clone());
    let performed = on_page(arguments, extras, input, progress, &session, None, &cancel).await;
    progress.finish();
    performed
}

async fn on_page(
    arguments: &Arguments,
    extras: &Extras,
    input: CheckedInput,
    progress: &Progress,
    session: &Session,
    browser: Option<&dyn Browser>,
    cancel: &CancellationToken,
) -> Result<Performed, CallError> {
    arguments.consent.tell(session);
    let watch = |event: &RunEvent| progress.event(event);
    let performed = extras.around(session, cancel, &note, async |trace| {
        let outcome = match &arguments.traverse {
            Some(transition) => {
                let traversal = session.traverse(transition).arguments(input.value().clone());
                let traversal = traversal.observer(&watch).cancelled_by(cancel.clone());
                traversal::run(traversal, trace, arguments.watch.quiet).await
            }
            None => {
                let call = session.call_with(input).observer(&watch).cancelled_by(cancel.clone());
                match trace {
                    Some(trace) => call.trace(trace).run().await,
                    None => call.run().await,
                }
            }
        };
        progress.finish();
        outcome
    });
    let performed = performed.await?;
    if let Some((recording, browser)) = arguments.recording.as_ref().zip(browser) {
        recording.conceal(performed.outcome.secrets.texts());
        recording.returned(performed.outcome.result.as_ref().ok());
        recording.finish(&*browser.clock(), arguments.live.time()).await;
    }
    Ok(performed)
}

fn report(map: Option<&CheckedManifest>, arguments: &Arguments, ended: Ended) -> Exit {
    let Ended { call_id, result: outcome, steps, diff, changes } = ended;
    if !arguments.watch.quiet && !arguments.item {
        changes.into_iter().for_each(note);
    }
    let exit = outcome.as_ref().err().map_or(Exit::Done, CallError::exit);
    if arguments.item {
        let mut item = json!(item(call_id, outcome, &steps));
        diff.into_iter().for_each(|diff| item["state_diff"] = diff);
        json_text(&item.to_string());
        return exit;
    }
    match (outcome, diff) {
        (Ok(value), None) if arguments.diff.is_none() => output::json(&value),
        (Ok(value), diff) => output::json(&json!({ "value": value, "diff": diff })),
        (Err(error), _) => {
            let diff = arguments.diff.as_ref().map(|diff| ("projections", diff.as_str()));
            let asked_for: Vec<_> = diff.into_iter().chain([("tools", arguments.tool.as_str())]).collect();
            explain(&error, Around { map, asked_for: &asked_for, everything: false });
        }
    }
    exit
}
