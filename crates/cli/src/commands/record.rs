//! `actions record`: runs a tool live, or opens its page, and records the network traffic.

mod afterwards;

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actions_engine::CallError;
use actions_engine::browser::har::Har;
use actions_engine::browser::{Browser, Deadline, Recorder, Steady};
use actions_manifest::Profile;
use actions_protocol::{ErrorCode, Exit, Timestamp};
use serde_json::Value;

use super::run;
use crate::failure::{Around, explain};
use crate::live::LiveOptions;
use crate::live_session::{block_on, in_session};
use crate::maps::{self, Wanted};
use crate::network::Network;
use crate::output::note;
use crate::output_file::OutputFile;
use crate::replay_option::ReplayOption;
use crate::session_options::InSession;
use crate::text::{counted, line};
use crate::time_limit::TimeLimit;
use crate::tool_input::ToolInput;
use crate::watch_options::WatchOptions;
use afterwards::{Afterwards, CaseFile, CaseWanted, folder_of};

/// Runs a tool of a map live, or only opens its page, and records the network traffic
///
/// The file is HAR 1.2; replay it with `actions run … --replay FILE`. The recording leaves out values that the input
/// schema marks as secret, passwords, cookies and tokens; placeholders stand in for them.
#[derive(Debug, clap::Args)]
#[command(
    after_help = r#"Examples, with a map of your own in this folder:
  actions record actions.json search.submit --arg query=maps --har search.har
  actions record actions.json search.submit --arg query=maps --case search
  actions record actions.json --har start.har"#,
    mut_args = |argument| match argument.get_id().as_str() {
        "input" | "arguments" | "trace" => argument.requires("tool"),
        _ => argument,
    }
)]
pub(crate) struct Arguments {
    /// Map to use
    map: PathBuf,
    /// Tool to run; without one, the command only opens the page
    tool: Option<String>,
    /// File to write the recording to, completely or not at all; with `--case` it is recordings/NAME.har beside the map
    #[arg(long, value_name = "FILE.har", required_unless_present = "case")]
    har: Option<PathBuf>,
    /// Make a regression case of the call: cases/NAME.json beside the map, for `actions test`
    #[arg(long, value_name = "NAME", requires = "tool")]
    case: Option<String>,
    /// Do not write what the targets of the map match to `actions.lock.json` beside it
    #[arg(long)]
    no_lock: bool,
    #[command(flatten)]
    input: ToolInput,
    #[command(flatten)]
    watch: WatchOptions,
    #[command(flatten)]
    live: LiveOptions,
}

/// A recording in progress.
#[derive(Debug)]
pub(super) struct Recording {
    recorder: Arc<Recorder>,
    /// Absent if everything would have to be masked.
    secrets: Mutex<Option<Vec<String>>>,
    har: Mutex<Option<Har>>,
    /// The reserved output file, until the recording is written to it.
    file: Mutex<Option<OutputFile>>,
    path: PathBuf,
    quiet: bool,
    /// The clock and the random numbers of the pages, if they are recorded for a case.
    steady: Option<Steady>,
    /// What the tool returned.
    returned: Mutex<Option<Value>>,
    /// Whether the file was written.
    kept: AtomicBool,
}

/// How long to wait for pending responses at the end.
const FINISHING: Duration = Duration::from_secs(10);

impl Recording {
    /// Starts a recording. Fails if the output file cannot be written.
    fn create(path: PathBuf, quiet: bool, steady: Option<Steady>) -> io::Result<Self> {
        Ok(Self {
            recorder: Arc::default(),
            secrets: Mutex::new(Some(Vec::new())),
            har: Mutex::default(),
            file: Mutex::new(Some(OutputFile::create(&path)?)),
            path,
            quiet,
            steady,
            returned: Mutex::default(),
            kept: AtomicBool::new(false),
        })
    }

    pub(super) fn recorder(&self) -> Arc<Recorder> {
        Arc::clone(&self.recorder)
    }

    pub(super) fn steady(&self) -> Option<Steady> {
        self.steady
    }

    /// Remembers what the tool returned.
    pub(super) fn returned(&self, value: Option<&Value>) {
        *held(&self.returned) = value.cloned();
    }

    /// Masks these texts in the recording.
    pub(super) fn conceal(&self, secrets: Option<Vec<String>>) {
        *held(&self.secrets) = secrets;
    }

    /// Ends the recording. The browser must still be running.
    pub(super) async fn finish(&self, browser: &dyn Browser, time: TimeLimit) {
        let clock = browser.clock();
        let Some(secrets) = held(&self.secrets).clone() else { return };
        let deadline = time.last_work(Deadline::after(&*clock, FINISHING));
        let har = self.recorder.finish(&secrets, &*clock, deadline).await;
        *held(&self.har) = Some(har);
    }

    /// Whether the recording was written.
    fn is_kept(&self) -> bool {
        self.kept.load(Ordering::Relaxed)
    }

    /// Writes the recording to its file. Does nothing if no page was ever opened.
    pub(super) fn keep(&self) -> Exit {
        if held(&self.secrets).is_none() {
            note("error: nothing was recorded: the call had more secrets than can be masked one by one");
            return Exit::Failed;
        }
        let (Some(recorded), Some(file)) = (held(&self.har).take(), held(&self.file).take()) else {
            return Exit::Done;
        };
        if let Err(error) = file.keep(recorded.to_json().as_bytes()) {
            note(format_args!("error: {}: {error}", line(&self.path.display().to_string())));
            return Exit::Failed;
        }
        self.kept.store(true, Ordering::Relaxed);
        if !self.quiet {
            let requests = counted(recorded.log.entries.len(), "request");
            note(format_args!("recorded {requests} in {}", line(&self.path.display().to_string())));
        }
        Exit::Done
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn run(mut arguments: Arguments) -> Exit {
    // A live run cannot be undone, so an unwritable file must be reported before it starts.
    let prepared = match Prepared::of(&mut arguments) {
        Ok(prepared) => prepared,
        Err(error) => {
            explain(&error, Around::default());
            return error.exit();
        }
    };
    let recording = &prepared.recording;
    let exit = match &arguments.tool {
        Some(tool) => run::run(run::Arguments {
            map: Some(arguments.map.clone()),
            tool: tool.clone(),
            input: arguments.input.clone(),
            diff: None,
            item: false,
            screenshot: None,
            traverse: None,
            watch: arguments.watch.clone(),
            within: InSession::default(),
            live: arguments.live.clone(),
            replay: ReplayOption::default(),
            recording: Some(Arc::clone(recording)),
        }),
        None => open(&arguments, recording),
    };
    // A call that failed was recorded too, and can be a case.
    if !matches!(exit, Exit::Done | Exit::Failed) || !recording.is_kept() {
        return exit;
    }
    match prepared.write_the_rest(&arguments) {
        Ok(()) => exit,
        Err(error) => {
            explain(&error, Around::default());
            error.exit()
        }
    }
}

/// What is ready before the call.
struct Prepared {
    recording: Arc<Recording>,
    case: Option<(CaseFile, Timestamp)>,
}

impl Prepared {
    fn of(arguments: &mut Arguments) -> Result<Self, CallError> {
        if arguments.case.is_some() {
            // Standard input can be read only once, and the case needs the arguments too.
            arguments.input = arguments.input.resolved()?;
        }
        let beside = |name: &String| folder_of(&arguments.map).join(format!("recordings/{name}.har"));
        let har = arguments.har.clone().or_else(|| arguments.case.as_ref().map(beside)).unwrap_or_default();
        let case =
            arguments.case.as_ref().map(|name| CaseFile::of(&arguments.map, &har, name)).transpose()?;
        if arguments.har.is_none() {
            // Reported with the file below, if it cannot be made.
            drop(std::fs::create_dir_all(folder_of(&har)));
        }
        let case = case.map(|file| (file, afterwards::now()));
        let clock = case.as_ref().map(|(_, at)| afterwards::steady(at));
        let created = Recording::create(har.clone(), arguments.watch.quiet, clock);
        let recording = created.map_err(|error| {
            CallError::new(ErrorCode::WrongUsage, format!("{}: {error}", har.display()))
                .with_evidence("hint", "nothing was run; `--har` needs a file in a writable folder")
        })?;
        Ok(Self { recording: Arc::new(recording), case })
    }

    /// Writes the lock and the case.
    fn write_the_rest(self, arguments: &Arguments) -> Result<(), CallError> {
        let profile = if arguments.live.lenient { Profile::Lenient } else { Profile::Strict };
        let engine = arguments.live.engine(match &arguments.tool {
            Some(tool) => {
                let url = arguments.live.url.as_deref();
                maps::choose(&arguments.map, profile, url, Wanted::Tool(tool))?
            }
            None => maps::load(&arguments.map, profile)?,
        });
        let recording = self.recording;
        let case = self.case.zip(arguments.tool.as_deref()).map(|((file, at), tool)| CaseWanted {
            file,
            tool,
            input: &arguments.input,
            at,
            returned: held(&recording.returned).take(),
        });
        let (live, quiet) = (&arguments.live, arguments.watch.quiet);
        let lock = !arguments.no_lock;
        Afterwards { engine: &engine, live, har: &recording.path, lock, case, quiet }.write()
    }
}

/// Opens the start page of a map and records only that.
fn open(arguments: &Arguments, recording: &Recording) -> Exit {
    let profile = if arguments.live.lenient { Profile::Lenient } else { Profile::Strict };
    let engine = match maps::load(&arguments.map, profile) {
        Ok(manifest) => arguments.live.engine(manifest),
        Err(error) => return error.exit(),
    };
    let network = Network { recorder: Some(recording.recorder()), ..Network::default() };
    let opened = arguments.live.browser.check().and_then(|()| {
        block_on(in_session(
            &engine,
            &arguments.live,
            arguments.watch.quiet,
            &network,
            async |_, browser, _| {
                recording.finish(browser, arguments.live.time()).await;
                Ok(())
            },
        ))
    });
    match opened {
        Ok(()) => recording.keep(),
        Err(error) => {
            explain(&error, Around { map: Some(engine.manifest()), ..Around::default() });
            error.exit()
        }
    }
}
