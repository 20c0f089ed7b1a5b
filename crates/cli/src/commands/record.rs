//! `actions record`: runs a tool live, or opens its page, and records the network traffic.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use actions_engine::CallError;
use actions_manifest::Profile;
use actions_protocol::{ErrorCode, Exit, Millis};

use super::run;
use crate::background::{self, RecordRequest};
use crate::failure::{Around, explain};
use crate::live::LiveOptions;
use crate::live_session::{block_on, in_session};
use crate::maps;
use crate::network::Network;
use crate::output::note;
use crate::recording::{Recording, unwritable};
use crate::replay_option::ReplayOption;
use crate::session_options::{InSession, refuse_start_options};
use crate::tool_input::ToolInput;
use crate::watch_options::WatchOptions;

/// Runs a tool of a map live, or only opens its page, and records the network traffic
///
/// The file is HAR 1.2; replay it with `actions run … --replay FILE`. The recording leaves out values that the input
/// schema marks as secret, passwords, cookies and tokens; placeholders stand in for them.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "actions record [OPTIONS] --har <FILE.har> [MAP] [TOOL]",
    after_help = r#"Examples, with a map of your own in this folder:
  actions record actions.json search.submit --arg query=maps --har search.har
  actions record actions.json --har start.har"#
)]
pub(crate) struct Arguments {
    /// Map or storage root to use, and the tool to run; without a tool, the command only opens the page. A session needs no
    /// map
    #[arg(required_unless_present = "session", num_args = 1..=2, value_names = ["MAP", "TOOL"])]
    names: Vec<String>,
    /// File to write the recording to, completely or not at all
    #[arg(long, value_name = "FILE.har")]
    har: PathBuf,
    /// In a session, load the page again before the call, so that the recording has its document; always without a tool
    #[arg(long, requires = "session")]
    reload: bool,
    #[command(flatten)]
    input: ToolInput,
    #[command(flatten)]
    watch: WatchOptions,
    #[command(flatten)]
    within: InSession,
    #[command(flatten)]
    live: LiveOptions,
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    let (map, tool) = match arguments.named() {
        Ok(named) => named,
        Err(error) => return refused(&error),
    };
    // A live run cannot be undone, so an unwritable file must be reported before it starts.
    let recording = match Recording::create(arguments.har.clone(), arguments.watch.quiet) {
        Ok(recording) => Arc::new(recording),
        Err(error) => return refused(&unwritable(&arguments.har, &error)),
    };
    let in_session = arguments.within.session.as_ref().map(|_| arguments.request());
    if in_session.is_some() {
        // The process of the session writes the file.
        recording.leave_to_another();
    }
    match (tool, in_session) {
        (Some(tool), in_session) => run::run(run::Arguments {
            map,
            tool,
            input: arguments.input,
            diff: None,
            item: false,
            screenshot: None,
            traverse: None,
            watch: arguments.watch,
            within: arguments.within,
            live: arguments.live,
            replay: ReplayOption::default(),
            recording: in_session.is_none().then_some(recording),
            in_session,
        }),
        (None, None) => open(&map.unwrap_or_default(), &arguments, &recording),
        (None, Some(request)) => {
            let session = arguments.within.session.as_deref().unwrap_or_default();
            let recorded = refuse_start_options(&arguments.live, None);
            match recorded.and_then(|()| background::record(session, request)) {
                Ok(()) => Exit::Done,
                Err(error) => refused(&error),
            }
        }
    }
}

fn refused(error: &CallError) -> Exit {
    explain(error, Around::default());
    error.exit()
}

impl Arguments {
    /// The map and the tool. In a session the map may be left out; what is no file is no map.
    fn named(&self) -> Result<(Option<PathBuf>, Option<String>), CallError> {
        let is_map = |name: &&String| self.within.session.is_none() || Path::new(name.as_str()).exists();
        let (map, rest) = match self.names.split_first().filter(|(first, _)| is_map(first)) {
            Some((map, rest)) => (Some(PathBuf::from(map)), rest),
            None => (None, &self.names[..]),
        };
        let wrong = |message: &str| CallError::new(ErrorCode::WrongUsage, message);
        let tool = match rest {
            [] => None,
            [tool] => Some(tool.clone()),
            _ => return Err(wrong("there are more names than a map and a tool")),
        };
        let given = [
            (!self.input.arguments.is_empty(), "--arg"),
            (self.input.input.is_some(), "--input"),
            (self.watch.trace.is_some(), "--trace"),
        ];
        match given.iter().find(|(given, _)| *given && tool.is_none()) {
            Some((_, option)) => Err(wrong(&format!("`{option}` needs a tool"))
                .with_evidence("hint", "name the tool after the map, or leave the option out")),
            None => Ok((map, tool)),
        }
    }

    /// What the process of a session records.
    fn request(&self) -> RecordRequest {
        RecordRequest {
            har: std::path::absolute(&self.har).unwrap_or_else(|_| self.har.clone()),
            page: self.within.page.clone(),
            reload: self.reload,
            timeout: self.live.timeout.map(Millis::from),
            quiet: self.watch.quiet,
        }
    }
}

/// Opens the start page of a map and records only that.
fn open(map: &Path, arguments: &Arguments, recording: &Recording) -> Exit {
    let profile = if arguments.live.lenient { Profile::Lenient } else { Profile::Strict };
    let engine = match maps::first(map, profile, arguments.live.url.as_deref()) {
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
                recording.finish(&*browser.clock(), arguments.live.time()).await;
                Ok(())
            },
        ))
    });
    match opened {
        Ok(()) => recording.keep(&note),
        Err(error) => {
            explain(&error, Around { map: Some(engine.manifest()), ..Around::default() });
            error.exit()
        }
    }
}
