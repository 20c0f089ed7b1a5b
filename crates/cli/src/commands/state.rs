//! `actions state`: reads a state, a summary or a diff through a projection.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use actions_engine::browser::Replay;
use actions_engine::{
    CallError, Engine, Secrets, SiteAnswer, SiteOutcome, SiteRequest, Snapshot, typed_argument,
};
use actions_manifest::{CheckedManifest, Profile};
use actions_protocol::{ByteLimit, CallId, ErrorCode, Exit, Millis};
use clap::{Subcommand, ValueEnum};
use serde_json::json;

use crate::background::{self, Shown, ShownState, StateKind, StateRequest};
use crate::baseline::BaselineFile;
use crate::failure::{Around, explain};
use crate::identity_options::Ended;
use crate::item::item;
use crate::live::LiveOptions;
use crate::live_session::{block_on, in_session};
use crate::maps::{self, Wanted};
use crate::network::Network;
use crate::output::{self, coloured, json_text, note};
use crate::replay_option::ReplayOption;
use crate::session_options::{InSession, refuse_saving, refuse_start_options};
use crate::tool_input::{InputError, ToolInput};

/// Reads the state of a page through a projection of its map
#[derive(Debug, clap::Args)]
#[command(after_help = r#"Example:
  actions state summary sites/board.example/board/actions.json site.board \
    --replay sites/board.example/board/recordings/move_card.har"#)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Print the whole state
    #[command(
        override_usage = "actions state read [OPTIONS] [MAP] <PROJECTION>",
        after_help = r#"Example:
  actions state read sites/board.example/board/actions.json site.board \
    --replay sites/board.example/board/recordings/move_card.har"#
    )]
    Read {
        #[command(flatten)]
        common: Common,
    },
    /// Print a summary of the state
    #[command(
        override_usage = "actions state summary [OPTIONS] [MAP] <PROJECTION> [SUMMARY]",
        after_help = r#"Example:
  actions state summary sites/board.example/board/actions.json site.board \
    list_page --arg list_id=ideas --arg limit=5 \
    --replay sites/board.example/board/recordings/move_card.har"#
    )]
    Summary {
        #[command(flatten)]
        common: Common,
        #[command(flatten)]
        input: ToolInput,
    },
    /// Print what changed since the baseline, then replace the baseline
    #[command(
        override_usage = "actions state diff [OPTIONS] [MAP] <PROJECTION> [--baseline <FILE>]",
        after_help = r#"Example:
  actions state diff sites/board.example/board/actions.json site.board \
    --baseline board.json \
    --replay sites/board.example/board/recordings/move_card.har"#
    )]
    Diff {
        #[command(flatten)]
        common: Common,
        /// File with the state to compare with; created if it does not exist. A session also remembers the state that was
        /// read last, and compares with that unless a file is given
        #[arg(long, value_name = "FILE", required_unless_present = "session")]
        baseline: Option<PathBuf>,
    },
}

/// Options of all three.
#[derive(Debug, clap::Args)]
struct Common {
    /// Map, projection, and for `summary` the summary (`agent_context` if absent); a session needs no map
    #[arg(required = true, num_args = 1..=3, value_names = ["MAP", "PROJECTION", "SUMMARY"])]
    names: Vec<String>,
    /// Largest size of the result in bytes; a larger result is refused, never shortened
    #[arg(long, value_name = "N")]
    max_bytes: Option<usize>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    format: Format,
    /// Print exactly one bridge item, on success and on failure
    #[arg(long)]
    item: bool,
    /// Print nothing but the result
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    within: InSession,
    #[command(flatten)]
    live: LiveOptions,
    #[command(flatten)]
    replay: ReplayOption,
}

/// The summary that is printed unless another one is named.
const DEFAULT_SUMMARY: &str = "agent_context";

/// What the positional arguments name.
struct Named {
    map: Option<PathBuf>,
    projection: String,
    summary: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The state or summary alone; a diff as a list of changes
    Human,
    /// The result with its metadata, as one JSON object
    Json,
}

/// Why there is no result, with the id of the call if one was started.
type Failed = (Option<CallId>, CallError);

impl Arguments {
    pub(super) fn promises_item(&self) -> bool {
        self.what.common().item
    }
}

impl What {
    fn common(&self) -> &Common {
        let (What::Read { common } | What::Summary { common, .. } | What::Diff { common, .. }) = self;
        common
    }

    /// The map, projection and summary. In a session the map may be left out; what is no file is no map.
    fn named(&self) -> Result<Named, CallError> {
        let mut names = self.common().names.iter();
        let in_session = self.common().within.session.is_some();
        let map = match names.as_slice().first() {
            Some(first) if !in_session || Path::new(first).exists() => names.next().map(PathBuf::from),
            _ => None,
        };
        let wrong = |message: &str| CallError::new(ErrorCode::WrongUsage, message);
        let projection = names.next().cloned().ok_or_else(|| {
            wrong("no projection is named")
                .with_evidence("hint", "write MAP PROJECTION, or only PROJECTION with `--session NAME`")
        })?;
        let summary = names.next().cloned();
        if names.next().is_some() || summary.is_some() && !matches!(self, What::Summary { .. }) {
            return Err(wrong("there are more names than a map and a projection"));
        }
        Ok(Named { map, projection, summary: summary.unwrap_or_else(|| DEFAULT_SUMMARY.to_owned()) })
    }

    /// The names in the request, by the evidence key that lists the existing ones.
    fn asked_for<'n>(&self, named: &'n Named) -> Vec<(&'static str, &'n str)> {
        let projection = ("projections", named.projection.as_str());
        match self {
            What::Summary { .. } => vec![projection, ("summaries", named.summary.as_str())],
            What::Read { .. } | What::Diff { .. } => vec![projection],
        }
    }

    /// Opens the file of the baseline, if there is one.
    fn baseline(&self, projection: &str) -> Result<Option<BaselineFile>, CallError> {
        match self {
            What::Diff { baseline: Some(file), .. } => Ok(Some(BaselineFile::open(file, projection)?)),
            What::Diff { .. } | What::Read { .. } | What::Summary { .. } => Ok(None),
        }
    }
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    let what = &arguments.what;
    let common = what.common();
    let named = match what.named() {
        Ok(named) => named,
        Err(error) => return failed(common, (None, error), None, &[]),
    };
    let asked_for = what.asked_for(&named);
    if let Some(session) = &common.within.session {
        return match in_background(session, what, &named) {
            Ok((call_id, shown)) => report(common, call_id, shown),
            Err((call_id, error)) => {
                let error = maps::from_here(error);
                let map = maps::of_error(&error);
                failed(common, (call_id, error), map.as_ref(), &asked_for)
            }
        };
    }
    let profile = if common.live.lenient { Profile::Lenient } else { Profile::Strict };
    let map = named.map.as_deref().unwrap_or(Path::new(""));
    let wanted = Wanted::Projection(&named.projection);
    let manifest = match maps::choose(map, profile, common.live.url.as_deref(), wanted) {
        Ok(manifest) => manifest,
        Err(error) => {
            let exit = error.exit();
            if common.item {
                json_text(&item(None, Err(error), &[]).to_json());
            }
            return exit;
        }
    };
    let engine = common.live.engine_for(manifest, common.replay.is_given());
    match answer(&engine, what, &named) {
        Ok((call_id, answer)) => report(common, call_id, background::shown(&answer)),
        Err(error) => failed(common, error, Some(engine.manifest()), &asked_for),
    }
}

fn failed(
    common: &Common,
    (call_id, error): Failed,
    map: Option<&CheckedManifest>,
    asked_for: &[(&str, &str)],
) -> Exit {
    let exit = error.exit();
    match common.item {
        true => json_text(&item(call_id, Err(error), &[]).to_json()),
        false => explain(&error, Around { map, asked_for, everything: false }),
    }
    exit
}

/// Reads in a background session.
fn in_background(session: &str, what: &What, named: &Named) -> Result<(CallId, ShownState), Failed> {
    let early = |error| (None, error);
    let common = what.common();
    refuse_start_options(&common.live, Some(&common.replay)).map_err(early)?;
    refuse_saving(&common.live).map_err(early)?;
    let file = what.baseline(&named.projection).map_err(early)?;
    let kind = match what {
        What::Read { .. } => StateKind::Read,
        What::Summary { input, .. } => {
            let input = input.text().map_err(|error| early(error.into()))?;
            StateKind::Summary { summary: named.summary.clone(), input }
        }
        What::Diff { .. } => {
            StateKind::Diff { baseline: file.as_ref().and_then(BaselineFile::before).map(Box::new) }
        }
    };
    let request = StateRequest {
        projection: named.projection.clone(),
        map: named.map.as_ref().map(|map| std::fs::canonicalize(map).unwrap_or_else(|_| map.clone())),
        what: kind,
        page: common.within.page.clone(),
        max_bytes: common.max_bytes,
        timeout: common.live.timeout.map(Millis::from),
    };
    let reply = background::state(session, request).map_err(early)?;
    let in_call = |error| (Some(reply.call_id.clone()), error);
    let shown = reply.result.map_err(in_call)?;
    if let (Some(file), Some(after)) = (file, &reply.snapshot) {
        file.replace(after).map_err(|error| in_call(error.into()))?;
    }
    Ok((reply.call_id, shown))
}

fn request(engine: &Engine, what: &What, named: &Named) -> Result<SiteRequest, InputError> {
    let common = what.common();
    let projection = named.projection.clone();
    let max_bytes = common.max_bytes.map(ByteLimit);
    let timeout = common.live.timeout.map(Millis::from);
    Ok(match what {
        What::Read { .. } => SiteRequest::StateRead { projection, max_bytes, timeout },
        What::Diff { .. } => SiteRequest::StateDiff { projection, max_bytes, timeout },
        What::Summary { input, .. } => {
            let schema = background::summary_schema(engine, &projection, &named.summary);
            let arguments = input.read(|name, text| typed_argument(&schema, name, text))?;
            let summary = named.summary.clone();
            SiteRequest::StateSummary { projection, summary, arguments, max_bytes, timeout }
        }
    })
}

/// What was read in a new browser.
struct Read {
    outcome: SiteOutcome,
    after: Option<Snapshot>,
}

impl Ended for Read {
    fn succeeded(&self) -> bool {
        self.outcome.result.is_ok()
    }
}

/// Reads in a new browser.
fn answer(engine: &Engine, what: &What, named: &Named) -> Result<(CallId, SiteAnswer), Failed> {
    let early = |error| (None, error);
    let common = what.common();
    // Refuse what cannot be read before a browser is launched.
    let request = request(engine, what, named).map_err(|error| early(error.into()))?;
    engine.check_request(&request).map_err(early)?;
    let file = what.baseline(&named.projection).map_err(early)?;
    common.live.browser.check().map_err(early)?;
    let replay = common.replay.recording().map_err(early)?.map(|archive| Arc::new(Replay::new(archive)));
    let network = Network { replay, ..Network::default() };
    let answered =
        block_on(in_session(engine, &common.live, common.quiet, &network, async |session, _, cancel| {
            let before = file.as_ref().and_then(BaselineFile::before);
            before.into_iter().for_each(|before| session.keep_snapshot(before));
            let outcome = session.site(request).cancelled_by(cancel.clone()).run().await;
            Ok(Read { outcome, after: session.snapshot(&named.projection) })
        }));
    if !common.quiet {
        let failed = answered.as_ref().map_or_else(Some, |read| read.outcome.result.as_ref().err());
        network.warn_about_misses(failed, &Secrets::default());
    }
    let Read { outcome, after } = answered.map_err(early)?;
    let in_call = |error| (Some(outcome.call_id.clone()), error);
    let answer = outcome.result.map_err(in_call)?;
    if let (Some(file), Some(after)) = (file, &after) {
        file.replace(after).map_err(|error| in_call(error.into()))?;
    }
    Ok((outcome.call_id, answer))
}

fn report(common: &Common, call_id: CallId, shown: ShownState) -> Exit {
    let ShownState { json, human, missing, bytes } = shown;
    if common.item {
        json_text(&item(Some(call_id), Ok(json), &[]).to_json());
        return Exit::Done;
    }
    if common.format == Format::Json {
        output::json(&json);
        return Exit::Done;
    }
    match human {
        Shown::Json(value) => output::json(&value),
        Shown::Lines(lines) => lines.into_iter().for_each(coloured),
    }
    if !common.quiet {
        print_notes(&missing, bytes);
    }
    Exit::Done
}

/// Prints notes for the author of the map about a successful reading.
fn print_notes(missing: &[String], bytes: Option<usize>) {
    if !missing.is_empty() {
        note(format_args!("note: required fields are missing: {}", json!(missing)));
    }
    if let Some(bytes) = bytes {
        note(format_args!("note: {bytes} bytes"));
    }
}
