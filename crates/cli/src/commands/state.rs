//! `actions state`: reads a state, a summary or a diff through a projection.

use std::path::PathBuf;
use std::sync::Arc;

use actions_engine::browser::Replay;
use actions_engine::{CallError, Engine, Secrets, SiteAnswer, SiteRequest, typed_argument};
use actions_manifest::{CheckedManifest, Profile};
use actions_protocol::{ByteLimit, CallId, Exit, Millis};
use clap::{Subcommand, ValueEnum};
use serde_json::{Map, Value, json};

use crate::baseline::BaselineFile;
use crate::failure::{Around, explain};
use crate::item::item;
use crate::live::LiveOptions;
use crate::live_session::{block_on, in_session};
use crate::network::Network;
use crate::output::{self, coloured, note, result};
use crate::replay_option::ReplayOption;
use crate::tool_input::{InputError, ToolInput};
use crate::{changes, maps};

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
    #[command(after_help = r#"Example:
  actions state read sites/board.example/board/actions.json site.board \
    --replay sites/board.example/board/recordings/move_card.har"#)]
    Read {
        #[command(flatten)]
        common: Common,
    },
    /// Print a summary of the state
    #[command(after_help = r#"Example:
  actions state summary sites/board.example/board/actions.json site.board \
    list_page --arg list_id=ideas --arg limit=5 \
    --replay sites/board.example/board/recordings/move_card.har"#)]
    Summary {
        #[command(flatten)]
        common: Common,
        /// Summary to print
        #[arg(default_value = "agent_context")]
        summary: String,
        #[command(flatten)]
        input: ToolInput,
    },
    /// Print what changed since the baseline, then replace the baseline
    #[command(after_help = r#"Example:
  actions state diff sites/board.example/board/actions.json site.board \
    --baseline board.json \
    --replay sites/board.example/board/recordings/move_card.har"#)]
    Diff {
        #[command(flatten)]
        common: Common,
        /// File with the state to compare with; created if it does not exist
        #[arg(long, value_name = "FILE")]
        baseline: PathBuf,
    },
}

/// Options of all three.
#[derive(Debug, clap::Args)]
struct Common {
    /// Map that declares the projection
    map: PathBuf,
    /// Projection to read
    projection: String,
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
    live: LiveOptions,
    #[command(flatten)]
    replay: ReplayOption,
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

    /// The names in the request, by the evidence key that lists the existing ones.
    fn names(&self) -> Vec<(&str, &str)> {
        let projection = ("projections", self.common().projection.as_str());
        match self {
            What::Summary { summary, .. } => vec![projection, ("summaries", summary)],
            What::Read { .. } | What::Diff { .. } => vec![projection],
        }
    }
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    let common = arguments.what.common();
    let profile = if common.live.lenient { Profile::Lenient } else { Profile::Strict };
    let manifest = match maps::load(&common.map, profile) {
        Ok(manifest) => manifest,
        Err(error) => {
            let exit = error.exit();
            if common.item {
                result(item(None, Err(error), &[]).to_json());
            }
            return exit;
        }
    };
    let engine = Engine::new(manifest)
        .with_limits(common.live.limits())
        .with_policy(common.live.rules())
        .with_origins(common.live.origins())
        .allow_http_error(common.live.allow_http_error);
    match answer(&engine, &arguments.what, common) {
        Ok((call_id, answer)) => report(common, call_id, &answer),
        Err((call_id, error)) => {
            let exit = error.exit();
            match common.item {
                true => result(item(call_id, Err(error), &[]).to_json()),
                false => {
                    let map = Some(engine.manifest());
                    let asked_for = &arguments.what.names();
                    explain(&error, Around { map, asked_for, everything: false });
                }
            }
            exit
        }
    }
}

fn request(manifest: &CheckedManifest, what: &What) -> Result<SiteRequest, InputError> {
    let common = what.common();
    let projection = common.projection.clone();
    let max_bytes = common.max_bytes.map(ByteLimit);
    let timeout = common.live.timeout.map(|wish| Millis(wish.as_millis() as u64));
    Ok(match what {
        What::Read { .. } => SiteRequest::StateRead { projection, max_bytes, timeout },
        What::Diff { .. } => SiteRequest::StateDiff { projection, max_bytes, timeout },
        What::Summary { summary, input, .. } => {
            let schema = input_schema(manifest, &projection, summary);
            let arguments = input.read(|name, text| typed_argument(&schema, name, text))?;
            SiteRequest::StateSummary { projection, summary: summary.clone(), arguments, max_bytes, timeout }
        }
    })
}

/// Returns the input schema of a summary; empty if there is no such summary or it takes no arguments.
fn input_schema(manifest: &CheckedManifest, projection: &str, summary: &str) -> Map<String, Value> {
    let projection = manifest.projection(projection);
    let mut summaries = projection.iter().flat_map(|projection| &projection.item.summaries);
    let found = summaries.find(|one| one.name.as_str() == summary);
    found
        .and_then(|found| found.input_schema.as_ref())
        .map(|schema| schema.schema.clone())
        .unwrap_or_default()
}

fn answer(engine: &Engine, what: &What, common: &Common) -> Result<(CallId, SiteAnswer), Failed> {
    let early = |error| (None, error);
    // Refuse what cannot be read before a browser is launched.
    let request = request(engine.manifest(), what).map_err(|error| early(error.into()))?;
    engine.check_request(&request).map_err(early)?;
    let file = match what {
        What::Diff { baseline, .. } => Some(BaselineFile::open(baseline, &common.projection)),
        What::Read { .. } | What::Summary { .. } => None,
    };
    let file = file.transpose().map_err(|error| early(error.into()))?;
    common.live.browser.check().map_err(early)?;
    let replay = common.replay.recording().map_err(early)?.map(|archive| Arc::new(Replay::new(archive)));
    let network = Network { replay, ..Network::default() };
    let answered =
        block_on(in_session(engine, &common.live, common.quiet, &network, async |session, _, cancel| {
            let before = file.as_ref().and_then(BaselineFile::before);
            before.into_iter().for_each(|before| session.keep_snapshot(before));
            let outcome = session.site(request).cancelled_by(cancel.clone()).run().await;
            Ok((outcome, session.snapshot(&common.projection)))
        }));
    if !common.quiet {
        let failed = answered.as_ref().map_or_else(Some, |(outcome, _)| outcome.result.as_ref().err());
        network.warn_about_misses(failed, &Secrets::default());
    }
    let (outcome, after) = answered.map_err(early)?;
    let in_call = |error| (Some(outcome.call_id.clone()), error);
    let answer = outcome.result.map_err(in_call)?;
    if let (Some(file), Some(after)) = (file, &after) {
        file.replace(after).map_err(|error| in_call(error.into()))?;
    }
    Ok((outcome.call_id, answer))
}

fn report(common: &Common, call_id: CallId, answer: &SiteAnswer) -> Exit {
    if common.item {
        result(item(Some(call_id), Ok(answer.to_json()), &[]).to_json());
        return Exit::Done;
    }
    if common.format == Format::Json {
        output::json(&answer.to_json());
        return Exit::Done;
    }
    match answer {
        SiteAnswer::State(reading) => {
            output::json(&reading.state);
            print_notes(common, &reading.diagnostics.missing_required_fields, reading.diagnostics.bytes);
        }
        SiteAnswer::Summary(reading) => {
            output::json(&reading.summary);
            print_notes(common, &reading.diagnostics.missing_required_fields, reading.summary_bytes);
        }
        SiteAnswer::Diff(diff) => changes::lines(diff).into_iter().for_each(coloured),
        SiteAnswer::Listing(listing) => output::json(listing),
        SiteAnswer::Value(value) => output::json(value),
        other => output::json(&other.to_json()),
    }
    Exit::Done
}

/// Prints notes for the author of the map about a successful reading.
fn print_notes(common: &Common, missing: &[String], bytes: usize) {
    if common.quiet {
        return;
    }
    if !missing.is_empty() {
        note(format_args!("note: required fields are missing: {}", json!(missing)));
    }
    note(format_args!("note: {bytes} bytes"));
}
