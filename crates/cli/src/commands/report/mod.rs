//! `actions report`: one page from traces and from the JSON of `check` and `test`.

mod cases;
mod checks;
mod html;
mod page;
mod picture;
mod source;
mod trace;

use std::fs;
use std::path::{Path, PathBuf};

use actions_drift::{CaseReport, Report};
use actions_engine::{CallError, Trace};
use actions_protocol::{ErrorCode, Exit};
use serde_json::Value;

use crate::failure::{Around, explain};
use crate::output::note;
use crate::output_file::OutputFile;
use crate::text::line;
use page::{Part, page};

/// The largest file of results that is read.
const LARGEST: u64 = 256 << 20;

/// Makes one page from traces and from the results of checks and cases
///
/// The page is one file without scripts or pictures from elsewhere: it can be sent, kept and opened offline. Secrets are
/// masked in traces; look at the pictures before you send it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  actions run sites/example.com/actions.json search.submit --arg query=maps \\
    --replay sites/example.com/recordings/search.har --trace runs/today
  actions report runs/today -o today.html
  actions check sites/docs.example --replay sites --evidence evidence --format json > checks.json
  actions report checks.json -o checks.html")]
pub(crate) struct Arguments {
    /// Folders of traces, and files with the JSON of `actions check` or `actions test`
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// File to write the page to
    #[arg(short, long, value_name = "FILE.html")]
    output: PathBuf,
    /// Title of the page
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Print nothing
    #[arg(short, long)]
    quiet: bool,
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    match reported(&arguments) {
        Ok(()) => Exit::Done,
        Err(error) => {
            explain(&error, Around::default());
            error.exit()
        }
    }
}

fn reported(arguments: &Arguments) -> Result<(), CallError> {
    let parts = arguments.inputs.iter().map(|input| part(input)).collect::<Result<Vec<_>, _>>()?;
    let title = match (&arguments.title, parts.as_slice()) {
        (Some(title), _) => title.clone(),
        (None, [only]) => only.title.clone(),
        (None, _) => "actions".to_owned(),
    };
    let text = page(&title, parts);
    let written =
        OutputFile::create_with_folders(&arguments.output).and_then(|file| file.keep_shared(text.as_bytes()));
    let path = arguments.output.display().to_string();
    written.map_err(|error| CallError::new(ErrorCode::WrongUsage, format!("{path}: {error}")))?;
    if !arguments.quiet {
        note(format_args!("wrote {} ({} KB)", line(&path), text.len().div_ceil(1024)));
    }
    Ok(())
}

/// What one input is decides itself: a folder is a trace; of a file, its members tell.
fn part(input: &Path) -> Result<Part, CallError> {
    let invalid = |problem: String| {
        CallError::new(ErrorCode::InvalidInput, format!("{}: {problem}", input.display())).with_evidence(
            "hint",
            "pass a folder that `--trace` wrote, or a file with the output of `actions check --format json` or `actions test --format json`",
        )
    };
    if input.is_dir() {
        let trace = Trace::read(input).map_err(|error| invalid(error.to_string()))?;
        return Ok(trace::part(&trace));
    }
    let there = fs::metadata(input)
        .map_err(|error| CallError::new(ErrorCode::WrongUsage, format!("{}: {error}", input.display())))?;
    if !there.is_file() || there.len() > LARGEST {
        return Err(invalid(format!("it is no file of at most {LARGEST} bytes")));
    }
    let text = fs::read(input).map_err(|error| invalid(error.to_string()))?;
    let json: Value = serde_json::from_slice(&text).map_err(|error| invalid(error.to_string()))?;
    let is_of_cases = json["summary"].get("cases").is_some();
    let name = input.display().to_string();
    let part = match is_of_cases {
        true => serde_json::from_value::<CaseReport>(json).map(|report| cases::part(&report, &name)),
        false => serde_json::from_value::<Report>(json).map(|report| checks::part(&report, &name)),
    };
    part.map_err(|error| invalid(error.to_string()))
}
