//! `actions record`: runs a tool live, or opens its page, and records the network traffic.

mod afterwards;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use actions_engine::CallError;
use actions_manifest::Profile;
use actions_protocol::{ErrorCode, Exit, Millis, Timestamp};

use super::run;
use crate::background::{self, RecordRequest};
use crate::consent_options::ConsentOptions;
use crate::failure::{Around, explain};
use crate::live::LiveOptions;
use crate::live_session::{block_on, in_session};
use crate::maps::{self, Wanted};
use crate::network::Network;
use crate::output::note;
use crate::recording::{Recording, unwritable};
use crate::replay_option::ReplayOption;
use crate::session_options::{InSession, refuse_start_options};
use crate::tool_input::ToolInput;
use crate::watch_options::WatchOptions;
use afterwards::{Afterwards, CaseFile, CaseWanted, folder_of};

/// Runs a tool of a map live, or only opens its page, and records the network traffic
///
/// The file is HAR 1.2; replay it with `actions run … --replay FILE`. The recording leaves out values that the input
/// schema marks as secret, passwords, cookies and tokens; placeholders stand in for them.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "actions record [OPTIONS] --har <FILE.har> [MAP] [TOOL]",
    after_help = r#"Examples, with a map of your own in this folder:
  actions record actions.json search.submit --arg query=maps --har search.har
  actions record actions.json search.submit --arg query=maps --case search
  actions record actions.json --har start.har"#
)]
pub(crate) struct Arguments {
    /// Map or storage root to use, and the tool to run; without a tool, the command only opens the page. A session needs no
    /// map
    #[arg(required_unless_present = "session", num_args = 1..=2, value_names = ["MAP", "TOOL"])]
    names: Vec<String>,
    /// File to write the recording to, completely or not at all; with `--case` it is recordings/NAME.har beside the map
    #[arg(long, value_name = "FILE.har", required_unless_present = "case")]
    har: Option<PathBuf>,
    /// Make a regression case of the call: cases/NAME.json beside the map, for `actions test`
    #[arg(long, value_name = "NAME", conflicts_with = "session")]
    case: Option<String>,
    /// Do not write what the targets of the map match to `actions.lock.json` beside it; in a session it is never written
    #[arg(long)]
    no_lock: bool,
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

pub(crate) fn run(mut arguments: Arguments) -> Exit {
    let (map, tool) = match arguments.named() {
        Ok(named) => named,
        Err(error) => return refused(&error),
    };
    // A live run cannot be undone, so an unwritable file must be reported before it starts.
    let prepared = match Prepared::of(&mut arguments, map.as_deref(), tool.as_deref()) {
        Ok(prepared) => prepared,
        Err(error) => return refused(&error),
    };
    let recording = Arc::clone(&prepared.recording);
    let in_session = arguments.within.session.as_ref().map(|_| arguments.request());
    if in_session.is_some() {
        // The process of the session writes the file.
        recording.leave_to_another();
    }
    let exit = match (&tool, in_session) {
        (Some(tool), in_session) => run::run(run::Arguments {
            map: map.clone(),
            tool: tool.clone(),
            input: arguments.input.clone(),
            diff: None,
            item: false,
            screenshot: None,
            traverse: None,
            consent: ConsentOptions::default(),
            watch: arguments.watch.clone(),
            within: arguments.within.clone(),
            live: arguments.live.clone(),
            replay: ReplayOption::default(),
            recording: in_session.is_none().then(|| Arc::clone(&recording)),
            in_session,
        }),
        (None, None) => open(map.as_deref().unwrap_or(Path::new("")), &arguments, &recording),
        (None, Some(request)) => {
            let session = arguments.within.session.as_deref().unwrap_or_default();
            let recorded = refuse_start_options(&arguments.live, None);
            match recorded.and_then(|()| background::record(session, request)) {
                Ok(()) => Exit::Done,
                Err(error) => refused(&error),
            }
        }
    };
    // A call that failed was recorded too, and can be a case.
    if !matches!(exit, Exit::Done | Exit::Failed) || !recording.is_kept() {
        return exit;
    }
    match prepared.write_the_rest(&arguments, &map.unwrap_or_default(), tool.as_deref()) {
        Ok(()) => exit,
        Err(error) => refused(&error),
    }
}

/// What is ready before the call.
struct Prepared {
    recording: Arc<Recording>,
    case: Option<(CaseFile, Timestamp)>,
}

impl Prepared {
    fn of(arguments: &mut Arguments, map: Option<&Path>, tool: Option<&str>) -> Result<Self, CallError> {
        let wrong = |message: &str| CallError::new(ErrorCode::WrongUsage, message);
        let map = map.unwrap_or(Path::new(""));
        if arguments.case.is_some() {
            if tool.is_none() {
                return Err(wrong("`--case` needs a tool")
                    .with_evidence("hint", "name the tool after the map: a case is about a call"));
            }
            if maps::storage_root(map)?.is_some() {
                return Err(wrong("`--case` needs a map, and not a storage root")
                    .with_evidence("hint", "pass the file of the map: the case is written beside it"));
            }
            // Standard input can be read only once, and the case needs the arguments too.
            arguments.input = arguments.input.resolved()?;
        }
        let beside = |name: &String| folder_of(map).join(format!("recordings/{name}.har"));
        let har = arguments.har.clone().or_else(|| arguments.case.as_ref().map(beside)).unwrap_or_default();
        let case = arguments.case.as_ref().map(|name| CaseFile::of(map, &har, name)).transpose()?;
        if arguments.har.is_none() {
            // If the folder cannot be made, the file in it cannot either, which is reported below.
            drop(std::fs::create_dir_all(folder_of(&har)));
            arguments.har = Some(har.clone());
        }
        let case = case.map(|file| (file, afterwards::now()));
        let clock = case.as_ref().map(|(_, at)| afterwards::steady(at));
        let created = Recording::create(har.clone(), arguments.watch.quiet);
        let recording = created.map_err(|error| unwritable(&har, &error))?.steadied(clock);
        Ok(Self { recording: Arc::new(recording), case })
    }

    /// Writes the lock and the case.
    fn write_the_rest(self, arguments: &Arguments, map: &Path, tool: Option<&str>) -> Result<(), CallError> {
        let lock = !arguments.no_lock;
        if !lock && self.case.is_none() {
            return Ok(());
        }
        let profile = if arguments.live.lenient { Profile::Lenient } else { Profile::Strict };
        let url = arguments.live.url.as_deref();
        let engine = arguments.live.engine(match tool {
            Some(tool) => maps::choose(map, profile, url, Wanted::Tool(tool))?,
            None => maps::first(map, profile, url)?,
        });
        let recording = self.recording;
        let case = self.case.zip(tool).map(|((file, at), tool)| CaseWanted {
            file,
            tool,
            input: &arguments.input,
            at,
            returned: recording.take_returned(),
        });
        let (live, quiet) = (&arguments.live, arguments.watch.quiet);
        Afterwards { engine: &engine, live, har: recording.path(), lock, case, quiet }.write()
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
            har: {
                let har = self.har.clone().unwrap_or_default();
                std::path::absolute(&har).unwrap_or(har)
            },
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
