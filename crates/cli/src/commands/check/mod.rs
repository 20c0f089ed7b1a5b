//! `actions check`: finds out whether sites still match their maps.

mod evidence;
mod human;
mod junit;
mod one_map;
mod sarif;
mod watched;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use actions_drift::{CheckResult, Lock, Options, Report};
use actions_engine::browser::{Browser, ContextOptions, StorageState};
use actions_engine::{CallError, CancellationToken};
use actions_manifest::Profile;
use actions_protocol::{ErrorCode, Exit, Severity};
use clap::ValueEnum;
use futures_util::StreamExt;
use serde_json::json;

use crate::background;
use crate::failure::{Around, explain};
use crate::interrupt;
use crate::live::{LiveOptions, duration};
use crate::live_session::block_on;
use crate::maps;
use crate::output::{self, note};
use crate::output_file::OutputFile;
use crate::progress_bar::CountingBar;
use crate::text::{counted, line};
use one_map::{Looked, OneMap};
pub(super) use one_map::{lock_beside, read_lock, valid_map};
use watched::Watched;

/// Finds out whether sites still match their maps
///
/// Makes the checks that the maps declare, looks for every target, and compares what it finds with the lock files beside the
/// maps. Nothing is changed: neither the sites nor the maps.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  actions check sites/docs.example --replay sites --confirm 2
  actions check sites/docs.example --replay sites --format json --fail-on minor
  actions check sites/docs.example --replay sites --format sarif > drift.sarif")]
pub(crate) struct Arguments {
    /// Maps, folders to search for actions.json, or storage roots
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Check on this recording instead of the sites; for a folder, every map on the recordings beside it
    #[arg(long, value_name = "FILE.har|DIR")]
    replay: Option<PathBuf>,
    /// Exit with 4 when a check of at least this severity fails
    #[arg(long, value_enum, default_value_t = Threshold::Major, value_name = "SEVERITY")]
    fail_on: Threshold,
    /// Look again this often before a failure is reported
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=10))]
    confirm: u32,
    /// Maps that are checked at the same time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: u16,
    /// How long what should be on a page may take to come, such as 500ms or 5s
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "3s")]
    patience: Duration,
    /// Keep evidence of failures in this folder
    #[arg(long, value_name = "DIR")]
    evidence: Option<PathBuf>,
    /// Check with the login of this background session; its pages are left alone
    #[arg(long, value_name = "NAME", conflicts_with_all = ["storage_state", "replay"])]
    session: Option<String>,
    /// Remember in this file how every check ended
    #[arg(long, value_name = "FILE.json")]
    state: Option<PathBuf>,
    /// Report only what has changed since the state file was written
    #[arg(long, requires = "state")]
    only_changes: bool,
    /// Write proposals for lost targets to this file; nothing is applied
    #[arg(long, value_name = "FILE.json")]
    propose: Option<PathBuf>,
    /// Write what every target matches now to `actions.lock.json` beside its map
    #[arg(long)]
    update_lock: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    format: Format,
    /// Print no progress
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    live: LiveOptions,
}

/// The severity from which drift counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Threshold {
    /// Every drift
    Minor,
    /// Drift that makes actions fail
    Major,
    /// Drift that may do damage
    Critical,
}

impl Threshold {
    fn severity(self) -> Severity {
        match self {
            Self::Minor => Severity::Minor,
            Self::Major => Severity::Major,
            Self::Critical => Severity::Critical,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// One JSON object
    Json,
    /// JUnit XML, for CI servers
    Junit,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    match checked(&arguments) {
        Ok(exit) => exit,
        Err(error) => {
            explain(&error, Around::default());
            error.exit()
        }
    }
}

/// What was written about a whole command.
struct Written {
    propose: Option<OutputFile>,
    watched: Option<Watched>,
}

fn checked(arguments: &Arguments) -> Result<Exit, CallError> {
    if arguments.live.identity.save_storage_state.is_some() {
        let message = "`--save-storage-state` does not go with `check`: every page has a context of its own";
        return Err(CallError::new(ErrorCode::WrongUsage, message));
    }
    arguments.live.browser.check()?;
    // A check takes minutes, so files that cannot be written are reported before it.
    let propose = arguments.propose.as_deref().map(|path| reserve(path, "--propose")).transpose()?;
    let watched = arguments.state.as_deref().map(Watched::open).transpose()?;
    let mut paths = Vec::new();
    for path in &arguments.paths {
        paths.extend(maps::files(path, None)?);
    }
    let mut seen = BTreeSet::new();
    paths.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    let identity = match &arguments.session {
        Some(session) => Some(background::identity(session)?),
        None => arguments.live.identity.loaded()?,
    };
    let looked = block_on(look(arguments, &paths, identity))?;
    report(arguments, paths.len(), looked, Written { propose, watched })
}

fn reserve(path: &Path, option: &str) -> Result<OutputFile, CallError> {
    OutputFile::create(path).map_err(|error| {
        let message = format!("{}: {error}", path.display());
        CallError::new(ErrorCode::WrongUsage, message).with_evidence(
            "hint",
            format!("nothing was checked; `{option}` needs a file in a writable folder"),
        )
    })
}

/// Looks at every map in one browser, some at the same time.
async fn look(
    arguments: &Arguments,
    paths: &[PathBuf],
    identity: Option<StorageState>,
) -> Result<Vec<Looked>, CallError> {
    let context =
        arguments.live.visitor.loaded()?.apply(ContextOptions::default(), arguments.live.url.as_deref());
    let options = Options {
        locale: context.locale.clone(),
        context,
        patience: arguments.patience,
        confirm: arguments.confirm,
        identity,
        pictures: arguments.evidence.is_some(),
        update_lock: arguments.update_lock,
        ..Options::default()
    };
    let common = OneMap {
        profile: if arguments.live.lenient { Profile::Lenient } else { Profile::Strict },
        live: &arguments.live,
        replay: arguments.replay.as_deref(),
        options: &options,
        evidence: arguments.evidence.as_deref(),
    };
    let cancel = CancellationToken::new();
    let _listening = interrupt::listen(cancel.clone());
    let time = arguments.live.time();
    let opened = arguments.live.open(arguments.replay.is_some(), arguments.quiet, &cancel).await?;
    let browser = opened.ok_or_else(cancelled)?;
    let bar = CountingBar::new(paths.len(), "maps", arguments.quiet);
    let all = async {
        let jobs = futures_util::stream::iter(paths.iter().enumerate().map(|(number, path)| {
            let (browser, common, bar) = (&browser, &common, &bar);
            async move {
                let looked = in_time(common, browser, path).await;
                bar.one_more();
                (number, looked)
            }
        }));
        let mut looked: Vec<(usize, Looked)> =
            jobs.buffer_unordered(usize::from(arguments.jobs)).collect().await;
        looked.sort_by_key(|(number, _)| *number);
        looked.into_iter().map(|(_, looked)| looked).collect::<Vec<_>>()
    };
    let looked = tokio::select! {
        biased;
        () = cancel.cancelled() => Err(cancelled()),
        looked = time.cutting_off(|| "not every map was checked".to_owned(), Box::pin(all)) => looked,
    };
    bar.done();
    browser.close_by(time.closing()).await;
    looked
}

/// How long one map may take, so that it cannot hold up the others for ever.
const ONE_MAP: Duration = Duration::from_secs(600);

async fn in_time(common: &OneMap<'_>, browser: &Arc<dyn Browser>, path: &Path) -> Looked {
    let looked = Box::pin(common.look(&**browser, path));
    match tokio::time::timeout(ONE_MAP, looked).await {
        Ok(looked) => looked,
        Err(_) => {
            let message = format!("the map was not checked within {} seconds", ONE_MAP.as_secs());
            common.broken(path, &CallError::new(ErrorCode::Timeout, message))
        }
    }
}

fn cancelled() -> CallError {
    CallError::new(ErrorCode::Cancelled, "the check was cancelled; no file was changed")
}

fn report(
    arguments: &Arguments,
    maps: usize,
    looked: Vec<Looked>,
    written: Written,
) -> Result<Exit, CallError> {
    let fail_on = arguments.fail_on.severity();
    let mut results: Vec<CheckResult> = Vec::new();
    let mut locks: BTreeMap<PathBuf, Lock> = BTreeMap::new();
    for one in looked {
        results.extend(one.results);
        locks.extend(one.lock);
    }
    let whole = Report::of(maps, results, fail_on);
    let exit = exit(&whole, fail_on);
    let mut shown = whole.clone();
    if let Some(watched) = written.watched {
        shown.results = watched.take(shown.results, arguments.only_changes)?;
    }
    for (path, lock) in &locks {
        keep_lock(path, lock, arguments.quiet)?;
    }
    if let Some(file) = written.propose {
        propose(file, &whole)?;
    }
    match arguments.format {
        Format::Human => human::print(&shown, arguments.only_changes),
        Format::Json => output::json(&shown),
        Format::Junit => junit::print(&shown.results)?,
        Format::Sarif => sarif::print(&shown.results),
    }
    Ok(exit)
}

/// Drift decides; then whatever could not be looked at.
fn exit(report: &Report, fail_on: Severity) -> Exit {
    if report.drifted(fail_on) > 0 {
        return Exit::Drift;
    }
    let open: Vec<Exit> = report.results.iter().filter(|result| result.is_open()).map(exit_of).collect();
    let worst = [Exit::Bug, Exit::Unavailable, Exit::Invalid, Exit::Failed];
    worst.into_iter().find(|exit| open.contains(exit)).unwrap_or(Exit::Done)
}

fn exit_of(result: &CheckResult) -> Exit {
    let code = result.error.as_ref().and_then(|error| ErrorCode::from_wire(&error.code.to_string()));
    match code.map(ErrorCode::exit) {
        Some(exit @ (Exit::Bug | Exit::Invalid)) if !result.status.is_unreachable() => exit,
        // Whatever the reason: the site could not be checked.
        _ => Exit::Unavailable,
    }
}

pub(super) fn keep_lock(path: &Path, lock: &Lock, quiet: bool) -> Result<(), CallError> {
    let text = lock.to_text();
    if std::fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    let kept = OutputFile::create(path).and_then(|file| file.keep_shared(text.as_bytes()));
    kept.map_err(|error| {
        CallError::new(ErrorCode::WrongUsage, format!("{}: {error}", path.display()))
            .with_evidence("hint", "the lock was not written; it stands beside its map")
    })?;
    if !quiet {
        let targets = counted(lock.len(), "target");
        note(format_args!("locked {targets} in {}", line(&path.display().to_string())));
    }
    Ok(())
}

/// Writes the proposals, each with its map.
fn propose(file: OutputFile, report: &Report) -> Result<(), CallError> {
    let proposals: Vec<_> = report
        .results
        .iter()
        .flat_map(|result| result.proposals.iter().map(move |proposal| (result, proposal)))
        .map(|(result, proposal)| {
            let mut written = json!(proposal);
            written["map"] = json!(result.map);
            written["check_id"] = json!(result.check_id);
            written
        })
        .collect();
    let text = format!("{:#}\n", json!(proposals));
    file.keep_shared(text.as_bytes()).map_err(|error| {
        CallError::new(ErrorCode::WrongUsage, format!("the proposals were not written: {error}"))
    })
}
