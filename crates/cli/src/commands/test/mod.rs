//! `actions test`: plays regression cases on recorded pages.

mod accept;
mod case_file;
mod human;
mod junit;
mod maps_of_cases;

use std::path::{Path, PathBuf};
use std::time::Instant;

use actions_drift::{CaseReport, CaseResult, CaseStatus, Difference, Found, Player};
use actions_engine::browser::Browser;
use actions_engine::{CallError, CancellationToken};
use actions_protocol::{ErrorCode, Exit};
use clap::ValueEnum;
use futures_util::StreamExt;

use crate::failure::{Around, explain};
use crate::interrupt;
use crate::live::LiveOptions;
use crate::live_session::block_on;
use crate::output;
use crate::progress_bar::CountingBar;
use case_file::CaseFile;
use maps_of_cases::{MapOfCases, Shelf};

/// Plays regression cases on recorded pages
///
/// A case is a file `cases/NAME.json` beside its map: a tool to run, a state to read or a check to make, the recording that
/// answers requests, and what must come of it. Nothing leaves the machine. Time and random numbers of the page are the same
/// in every run. `actions record MAP TOOL --case NAME` makes a case.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  actions test sites/docs.example
  actions test sites/example.com/cases/search.json --repeat 3
  actions test sites/board.example --format junit > cases.xml")]
pub(crate) struct Arguments {
    /// Case, map, or folder to search for maps with cases
    #[arg(default_value = ".", value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Make what comes of the cases their expectation, after showing the difference
    #[arg(long, conflicts_with = "repeat")]
    accept: bool,
    /// Play every case this often; each time the same must come of it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repeat: u32,
    /// Cases that are played at the same time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: u16,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    format: Format,
    /// Print only what failed, and no progress
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    live: LiveOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// One JSON object
    Json,
    /// JUnit XML, for CI servers
    Junit,
}

/// A repetition that came out differently from the first.
struct Unsteady {
    number: u32,
    difference: Vec<Difference>,
}

/// What came of one case, and its file.
struct Played {
    file: CaseFile,
    result: CaseResult,
    /// What came of it, if it could be played.
    found: Option<Found>,
    /// Why it could not be played.
    error: Option<CallError>,
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    match tested(&arguments) {
        Ok(exit) => exit,
        Err(error) => {
            explain(&error, Around::default());
            error.exit()
        }
    }
}

fn tested(arguments: &Arguments) -> Result<Exit, CallError> {
    refuse_what_cases_decide(&arguments.live)?;
    arguments.live.browser.check()?;
    let maps = MapOfCases::find(&arguments.paths)?;
    let played = block_on(play_all(arguments, &maps))?;
    report(arguments, played)
}

/// Options that a case decides for itself.
fn refuse_what_cases_decide(live: &LiveOptions) -> Result<(), CallError> {
    let identity = &live.identity;
    let refused = [
        (live.url.is_some(), "--url"),
        (identity.storage_state.is_some(), "--storage-state"),
        (identity.save_storage_state.is_some(), "--save-storage-state"),
    ];
    match refused.into_iter().find(|(given, _)| *given) {
        Some((_, option)) => {
            let message = format!("`{option}` does not go with `test`: a case says what it begins with");
            Err(CallError::new(ErrorCode::WrongUsage, message))
        }
        None => Ok(()),
    }
}

/// Plays all cases in one browser, some at the same time.
async fn play_all(arguments: &Arguments, maps: &[MapOfCases]) -> Result<Vec<Played>, CallError> {
    let cancel = CancellationToken::new();
    let _listening = interrupt::listen(cancel.clone());
    let time = arguments.live.time();
    let opened = arguments.live.open(true, arguments.quiet, &cancel).await?;
    let browser = opened.ok_or_else(cancelled)?;
    let shelf = Shelf::new(arguments.live.clone());
    let count = maps.iter().map(|map| map.cases.len()).sum();
    let bar = CountingBar::new(count, "cases", arguments.quiet);
    let jobs = maps.iter().flat_map(|map| map.cases.iter().map(move |case| (map, case)));
    let jobs = jobs.enumerate().map(|(number, (map, case))| {
        let (browser, shelf, bar) = (&browser, &shelf, &bar);
        let once = arguments.repeat;
        async move {
            let played = play(&**browser, shelf, map, case, once).await;
            bar.one_more();
            (number, played)
        }
    });
    let all = async {
        let mut played: Vec<(usize, Played)> =
            futures_util::stream::iter(jobs).buffer_unordered(usize::from(arguments.jobs)).collect().await;
        played.sort_by_key(|(number, _)| *number);
        played.into_iter().map(|(_, played)| played).collect::<Vec<_>>()
    };
    let played = tokio::select! {
        biased;
        () = cancel.cancelled() => Err(cancelled()),
        played = time.cutting_off(|| "not every case was played".to_owned(), Box::pin(all)) => played,
    };
    bar.done();
    browser.close_by(time.closing()).await;
    played
}

fn cancelled() -> CallError {
    CallError::new(ErrorCode::Cancelled, "the cases were cancelled; no file was changed")
}

/// Plays one case, as often as it is wanted.
async fn play(browser: &dyn Browser, shelf: &Shelf, map: &MapOfCases, path: &Path, times: u32) -> Played {
    let begun = Instant::now();
    let file = CaseFile::read(path, &map.path);
    let took = || u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let outcome = match &file.case {
        Err(error) => Err(error.clone()),
        Ok(case) if case.skip.is_some() => return file.skipped(),
        Ok(case) => {
            let playing = async {
                let loaded = shelf.map(map).await?;
                let recording = file.recording(shelf)?;
                let player = Player { browser, engine: &loaded.engine, lock: &loaded.lock };
                let first = player.play(case, recording.as_deref()).await?;
                let same = first.accepted(&first.as_expected().with_short_error());
                for number in 2..=times {
                    let again = player.play(case, recording.as_deref()).await?;
                    let difference = again.differs_from(&same);
                    if !difference.is_empty() {
                        return Ok((first, Some(Unsteady { number, difference })));
                    }
                }
                Ok((first, None))
            };
            Box::pin(playing).await
        }
    };
    match outcome {
        Ok((found, unsteady)) => file.judged(found, unsteady, took()),
        Err(error) => file.broken(error, took()),
    }
}

fn report(arguments: &Arguments, played: Vec<Played>) -> Result<Exit, CallError> {
    let exit = exit(&played);
    let report = CaseReport::of(played.iter().map(|played| played.result.clone()).collect());
    match arguments.format {
        Format::Human => human::print(&report, arguments.quiet),
        Format::Json => output::json(&report),
        Format::Junit => junit::print(&report.results)?,
    }
    if !arguments.accept {
        return Ok(exit);
    }
    accept::write(&played, arguments.quiet)?;
    // What differed is expected now; what could not be played still fails.
    Ok(if exit == Exit::Drift { Exit::Done } else { exit })
}

/// What could not be played decides, the gravest first; then what differs.
fn exit(played: &[Played]) -> Exit {
    let errors: Vec<Exit> =
        played.iter().filter_map(|played| played.error.as_ref()).map(CallError::exit).collect();
    let gravest = [Exit::Bug, Exit::Unavailable, Exit::Refused, Exit::Invalid];
    if let Some(exit) = gravest.into_iter().find(|exit| errors.contains(exit)) {
        return exit;
    }
    match played.iter().any(|played| played.result.status == CaseStatus::Failed) {
        true => Exit::Drift,
        false => Exit::Done,
    }
}
