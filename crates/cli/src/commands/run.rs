use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use actions_engine::browser::{Archive, Deadline, Replay, Screenshot};
use actions_engine::{CallError, CancellationToken, Engine, Outcome, RunEvent, Session};
use actions_manifest::Profile;
use actions_protocol::{ActionCallOutput, ActionError, Exit, Item, RuntimeId};
use serde_json::{Map, Value};

use super::record::Recording;
use crate::json_argument;
use crate::live::{LiveOptions, context, context_options};
use crate::maps;
use crate::output::{self, note, result};
use crate::text::{closest, visible};

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
    /// The arguments as JSON, @FILE to read them from a file, or - from standard input
    #[arg(long, value_name = "JSON|@FILE|-")]
    pub(super) input: Option<String>,
    /// One argument; the value is JSON if it reads as such, text otherwise
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    pub(super) arguments: Vec<String>,
    /// Write exactly one bridge item, whatever happens
    #[arg(long)]
    pub(super) item: bool,
    /// Keep a picture of the page as it is at the end
    #[arg(long, value_name = "FILE.png")]
    pub(super) screenshot: Option<PathBuf>,
    /// Say nothing on the way
    #[arg(short, long)]
    pub(super) quiet: bool,
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
    let input = match input(&arguments) {
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
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            note(format_args!("error: {error}"));
            return Exit::Bug;
        }
    };
    let archive = match arguments.live.recording() {
        Ok(archive) => archive,
        Err(exit) => return exit,
    };
    let outcome = runtime.block_on(perform(&engine, &arguments, input, archive));
    tell(&engine, &arguments, outcome)
}

/// Performs the tool; the browser is gone when this returns.
async fn perform(
    engine: &Engine,
    arguments: &Arguments,
    input: Value,
    archive: Option<Arc<Archive>>,
) -> Result<Outcome, CallError> {
    // What cannot run needs no browser.
    let plan = engine.plan(&arguments.tool)?;
    plan.check_arguments(&input)?;
    let secrets = plan.secrets(&input);
    if let Some(recording) = &arguments.recording {
        recording.conceal(secrets.clone());
    }
    let replay = archive.map(|archive| Arc::new(Replay::new(archive).concealing(&secrets)));
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let interrupted = tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            stop.cancel();
        }
    });
    let progress = Progress { shown: !arguments.quiet && std::io::stderr().is_terminal() };
    let browser = arguments.live.open().await.map_err(failed)?;
    let outcome = tokio::select! {
        outcome = on_page(engine, arguments, input, Arc::clone(&browser), replay.clone(), &progress, &cancel) => outcome,
        () = interrupted_early(&cancel) => Err(CallError::new(actions_protocol::ErrorCode::Cancelled, "the call was cancelled")),
    };
    browser.close().await;
    interrupted.abort();
    if let Some(replay) = replay.filter(|_| !arguments.quiet) {
        replay.misses().iter().for_each(|miss| note(format_args!("warning: {}", visible(&miss.to_string()))));
    }
    outcome
}

async fn on_page(
    engine: &Engine,
    arguments: &Arguments,
    input: Value,
    browser: Arc<dyn actions_engine::browser::Browser>,
    replay: Option<Arc<Replay>>,
    progress: &Progress,
    cancel: &CancellationToken,
) -> Result<Outcome, CallError> {
    let recorder = arguments.recording.as_ref().map(|recording| recording.recorder());
    let options = context_options(engine, replay, recorder);
    let context = context(&*browser, options).await.map_err(failed)?;
    let session = engine.open(&*browser, context, arguments.live.url.as_deref()).await?;
    let watch = |event: &RunEvent| progress.event(event);
    let outcome = session
        .call(&arguments.tool)
        .arguments(input)
        .observer(&watch)
        .cancelled_by(cancel.clone())
        .run()
        .await;
    if let Some(recording) = &arguments.recording {
        recording.finish(&*browser).await;
    }
    if let Some(file) = &arguments.screenshot {
        keep_picture(&session, file, &*browser).await;
    }
    session.close().await;
    Ok(outcome)
}

/// Keeps a picture of the page; that there is none changes nothing about the call.
async fn keep_picture(session: &Session, file: &Path, browser: &dyn actions_engine::browser::Browser) {
    let deadline = Deadline::after(&*browser.clock(), PICTURE);
    let taken =
        session.page().screenshot(Screenshot::default(), deadline).await.map_err(|error| error.to_string());
    match taken.and_then(|picture| std::fs::write(file, picture).map_err(|error| error.to_string())) {
        Ok(()) => note(format_args!("screenshot: {}", file.display())),
        Err(error) => note(format_args!("warning: no screenshot at {}: {error}", file.display())),
    }
}

/// How long a picture may take.
const PICTURE: std::time::Duration = std::time::Duration::from_secs(10);

/// Ends the wait for a page that is still loading when the person gives up; a running call ends by itself.
async fn interrupted_early(cancel: &CancellationToken) {
    cancel.cancelled().await;
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
}

fn failed(error: actions_engine::browser::Error) -> CallError {
    CallError::new(error.code(), error.to_string())
}

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

fn tell(engine: &Engine, arguments: &Arguments, outcome: Result<Outcome, CallError>) -> Exit {
    let (call_id, outcome) = match outcome {
        Ok(outcome) => (Some(outcome.call_id), outcome.result),
        Err(error) => (None, Err(error)),
    };
    let exit = outcome.as_ref().err().map_or(Exit::Done, CallError::exit);
    if arguments.item {
        result(item(call_id, outcome).to_json());
        return exit;
    }
    match outcome {
        Ok(value) => output::json(&value),
        Err(error) => explain(engine, arguments, &error),
    }
    exit
}

fn item(call_id: Option<actions_protocol::CallId>, outcome: Result<Value, CallError>) -> Item {
    let runtime = RuntimeId::parse("actions-cli").expect("a short plain text");
    let call_id =
        call_id.unwrap_or_else(|| actions_protocol::CallId::parse("call-0").expect("a short plain text"));
    match outcome {
        Ok(value) => ActionCallOutput::new(call_id, runtime, value).into(),
        Err(error) => ActionError::new(error.to_error_object()).for_call(call_id).in_runtime(runtime).into(),
    }
}

/// The sentence, the step, the place in the map, the hint and the code.
fn explain(engine: &Engine, arguments: &Arguments, error: &CallError) {
    note(format_args!("error: {}", visible(&error.message)));
    if let Some(step) = &error.step {
        note(format_args!("  step: {} ({})", step.id, step.primitive));
        note(format_args!("  at: {}:{}:{}", step.place.map, step.place.line, step.place.column));
        let text = engine.manifest().document().source().text();
        if let Some(line) = text.lines().nth(step.place.line.saturating_sub(1)) {
            note(format_args!("  {:>5} │ {}", step.place.line, visible(line)));
        }
    }
    if let Some(cause) = &error.cause {
        note(format_args!("  cause: {} ({})", visible(&cause.message), cause.code));
    }
    for key in ["reason", "occluded_by", "waiting", "url", "by", "nearest", "hint", "errors", "current"] {
        if let Some(value) = error.evidence.get(key).filter(|value| !value.is_null()) {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            note(format_args!("  {key}: {}", visible(&text)));
        }
    }
    if error.code == actions_protocol::ErrorCode::UnknownAction {
        let tools: Vec<String> = engine.tools().collect();
        match closest(&arguments.tool, tools.iter().map(String::as_str)) {
            Some(near) => note(format_args!("  help: did you mean `{near}`?")),
            None => note("  help: `actions list MAP` shows the tools"),
        }
    } else {
        let object = error.to_error_object();
        if let Some(next) = object.extra.get("safe_recovery").and_then(Value::as_str) {
            note(format_args!("  help: {next}"));
        }
    }
    note(format_args!("  code: {} (`actions explain {}`)", error.code, error.code));
}

/// The arguments of the tool, from wherever they are given.
fn input(arguments: &Arguments) -> Result<Value, InputError> {
    let mut input = match arguments.input.as_deref() {
        None => Map::new(),
        Some(given) => json_argument::object("--input", given)?,
    };
    for argument in &arguments.arguments {
        let Some((name, value)) = argument.split_once('=') else {
            return Err(InputError::NotAPair(argument.clone()));
        };
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
        input.insert(name.to_owned(), value);
    }
    Ok(Value::Object(input))
}

/// Why the arguments of the tool could not be read.
#[derive(Debug, thiserror::Error)]
enum InputError {
    #[error(transparent)]
    Input(#[from] json_argument::NotAnObject),
    #[error("`--arg {0}` is not NAME=VALUE")]
    NotAPair(String),
}
