use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actions_engine::Engine;
use actions_engine::browser::har::{Har, HarFile};
use actions_engine::browser::{Browser, Deadline, Recorder};
use actions_manifest::Profile;
use actions_protocol::Exit;

use super::run;
use crate::live::LiveOptions;
use crate::live_session::{Network, block_on, in_session};
use crate::maps;
use crate::output::note;
use crate::text::visible;
use crate::tool_input::ToolInput;

/// Performs a tool of a map live, or only opens its page, and keeps what the network said.
///
/// The file is HAR 1.2 and can be replayed with `actions run … --replay FILE`. Values that the input schema calls
/// secret and credentials in request headers are left out of it.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  actions record sites/example.com/actions.json search.submit --input '{\"query\":\"maps\"}' --har search.har\n  actions record actions.json --har start.har"
)]
pub(crate) struct Arguments {
    /// The map
    map: PathBuf,
    /// The tool; without one the page is opened and nothing else is done
    tool: Option<String>,
    /// Where the recording is written; the file is there in whole or not at all
    #[arg(long, value_name = "FILE.har")]
    har: PathBuf,
    /// The arguments as JSON, @FILE to read them from a file, or - from standard input
    #[arg(long, value_name = "JSON|@FILE|-", requires = "tool")]
    input: Option<String>,
    /// One argument; the value is JSON if it reads as such, text otherwise
    #[arg(long = "arg", value_name = "NAME=VALUE", requires = "tool")]
    arguments: Vec<String>,
    /// Say nothing on the way
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    live: LiveOptions,
}

/// A recording in the making.
#[derive(Debug, Default)]
pub(super) struct Recording {
    recorder: Arc<Recorder>,
    secrets: Mutex<Vec<String>>,
    har: Mutex<Option<Har>>,
}

/// How long answers that are still on their way are waited for.
const FINISHING: Duration = Duration::from_secs(10);

impl Recording {
    pub(super) fn recorder(&self) -> Arc<Recorder> {
        Arc::clone(&self.recorder)
    }

    /// Keeps these texts out of the recording.
    pub(super) fn conceal(&self, secrets: Vec<String>) {
        *self.secrets.lock().unwrap_or_else(PoisonError::into_inner) = secrets;
    }

    /// Ends the recording while the browser is still there.
    pub(super) async fn finish(&self, browser: &dyn Browser) {
        let clock = browser.clock();
        let secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let har = self.recorder.finish(&secrets, &*clock, Deadline::after(&*clock, FINISHING)).await;
        *self.har.lock().unwrap_or_else(PoisonError::into_inner) = Some(har);
    }

    fn take(&self) -> Option<Har> {
        self.har.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    // What is performed live cannot be taken back: whether its recording can be kept is known before.
    let file = match HarFile::create(&arguments.har) {
        Ok(file) => file,
        Err(error) => {
            note(format_args!("error: {}: {error}", visible(&arguments.har.display().to_string())));
            note(format_args!(
                "  help: nothing was performed; --har takes a file in a folder that can be written to"
            ));
            return Exit::Usage;
        }
    };
    let recording = Arc::new(Recording::default());
    let (har, quiet) = (arguments.har.clone(), arguments.quiet);
    let exit = match arguments.tool {
        Some(tool) => run::run(run::Arguments {
            map: arguments.map,
            tool,
            input: ToolInput { input: arguments.input, arguments: arguments.arguments },
            diff: None,
            item: false,
            screenshot: None,
            trace: None,
            quiet,
            verbose: 0,
            live: arguments.live,
            recording: Some(Arc::clone(&recording)),
        }),
        None => open(&arguments, &recording),
    };
    // What never came as far as a page has nothing to keep.
    let Some(recorded) = recording.take() else { return exit };
    if let Err(error) = file.keep(&recorded) {
        note(format_args!("error: {}: {error}", har.display()));
        return if exit == Exit::Done { Exit::Failed } else { exit };
    }
    if !quiet {
        note(format_args!("recorded {} requests in {}", recorded.log.entries.len(), har.display()));
    }
    exit
}

/// Opens the page of a map and nothing else.
fn open(arguments: &Arguments, recording: &Recording) -> Exit {
    let profile = if arguments.live.lenient { Profile::Lenient } else { Profile::Strict };
    let engine = match maps::load(&arguments.map, profile) {
        Ok(manifest) => {
            Engine::new(manifest).with_limits(arguments.live.limits()).with_policy(arguments.live.policy())
        }
        Err(code) => return code.exit(),
    };
    let network = Network { replay: None, recorder: Some(recording.recorder()) };
    let opened = block_on(in_session(&engine, &arguments.live, &network, async |_, browser, _| {
        recording.finish(browser).await;
        Ok(())
    }));
    match opened {
        Ok(()) => Exit::Done,
        Err(error) => {
            note(format_args!("error: {}", visible(&error.message)));
            note(format_args!("  code: {} (`actions explain {}`)", error.code, error.code));
            error.exit()
        }
    }
}
