//! `actions record`: runs a tool live, or opens its page, and records the network traffic.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actions_engine::CallError;
use actions_engine::browser::har::Har;
use actions_engine::browser::{Browser, Deadline, Recorder};
use actions_manifest::Profile;
use actions_protocol::{ErrorCode, Exit};

use super::run;
use crate::failure::{Around, explain};
use crate::live::LiveOptions;
use crate::live_session::{block_on, in_session};
use crate::maps;
use crate::network::Network;
use crate::output::note;
use crate::output_file::OutputFile;
use crate::replay_option::ReplayOption;
use crate::session_options::InSession;
use crate::text::{counted, line};
use crate::time_limit::TimeLimit;
use crate::tool_input::ToolInput;
use crate::watch_options::WatchOptions;

/// Runs a tool of a map live, or only opens its page, and records the network traffic
///
/// The file is HAR 1.2; replay it with `actions run … --replay FILE`. The recording leaves out values that the input
/// schema marks as secret, passwords, cookies and tokens; placeholders stand in for them.
#[derive(Debug, clap::Args)]
#[command(
    after_help = r#"Examples, with a map of your own in this folder:
  actions record actions.json search.submit --arg query=maps --har search.har
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
    /// File to write the recording to, completely or not at all
    #[arg(long, value_name = "FILE.har")]
    har: PathBuf,
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
}

/// How long to wait for pending responses at the end.
const FINISHING: Duration = Duration::from_secs(10);

impl Recording {
    /// Starts a recording. Fails if the output file cannot be written.
    fn create(path: PathBuf, quiet: bool) -> io::Result<Self> {
        Ok(Self {
            recorder: Arc::default(),
            secrets: Mutex::new(Some(Vec::new())),
            har: Mutex::default(),
            file: Mutex::new(Some(OutputFile::create(&path)?)),
            path,
            quiet,
        })
    }

    pub(super) fn recorder(&self) -> Arc<Recorder> {
        Arc::clone(&self.recorder)
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

pub(crate) fn run(arguments: Arguments) -> Exit {
    // A live run cannot be undone, so an unwritable file must be reported before it starts.
    let recording = match Recording::create(arguments.har.clone(), arguments.watch.quiet) {
        Ok(recording) => Arc::new(recording),
        Err(error) => {
            let message = format!("{}: {error}", arguments.har.display());
            let error = CallError::new(ErrorCode::WrongUsage, message)
                .with_evidence("hint", "nothing was run; `--har` needs a file in a writable folder");
            explain(&error, Around::default());
            return error.exit();
        }
    };
    match arguments.tool {
        Some(tool) => run::run(run::Arguments {
            map: Some(arguments.map),
            tool,
            input: arguments.input,
            diff: None,
            item: false,
            screenshot: None,
            traverse: None,
            watch: arguments.watch,
            within: InSession::default(),
            live: arguments.live,
            replay: ReplayOption::default(),
            recording: Some(recording),
        }),
        None => open(&arguments, &recording),
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
