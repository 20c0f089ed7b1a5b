//! `actions validate`: reports every finding in maps, and in documents of sibling standards.

use std::path::{Path, PathBuf};

use actions_engine::CallError;
use actions_engine::browser::{Clock, SystemClock};
use actions_interop::classify::System;
use actions_interop::systems::{VALIDATORS, ValidateOptions, Validator, validator};
use actions_manifest::{Finding, Profile, Severity, Validation, read_file};
use actions_protocol::{ErrorCode, Exit};
use clap::ValueEnum;

use crate::failure::{Around, explain};
use crate::findings;
use crate::maps::{find, validate_file};
use crate::output::note;
use crate::site_policy::Experimental;
use crate::text::counted;

/// Reports every problem in maps, with its code, position and fix
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  actions validate sites\n  actions validate --format sarif sites > findings.sarif\n  actions validate --as a2wf siteai.json"
)]
pub(crate) struct Arguments {
    /// Maps, or folders to search for actions.json
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// What the documents are: actions, or a sibling standard such as a2wf
    #[arg(long = "as", value_name = "SYSTEM", default_value = "actions", value_parser = system)]
    pub(super) system: System,
    /// Also read a draft of a standard
    #[arg(long, value_enum, value_name = "DRAFT")]
    pub(super) experimental: Vec<Experimental>,
    /// Report mistakes that are common in published maps as warnings
    #[arg(long)]
    pub(super) lenient: bool,
    /// Reject maps with warnings too
    #[arg(long)]
    pub(super) deny_warnings: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    pub(super) format: Format,
    /// Print no summary
    #[arg(short, long)]
    pub(super) quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people, with the source line, on standard error
    Human,
    /// One JSON array
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// GitHub workflow commands
    Github,
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    let profile = if arguments.lenient { Profile::Lenient } else { Profile::Strict };
    let mut checked = Vec::new();
    let mut exit = Exit::Done;
    let mut refused = |error: &CallError| {
        explain(error, Around::default());
        note("");
        exit = Exit::Usage;
    };
    match validator(arguments.system) {
        None => {
            for map in arguments.paths.iter().flat_map(|path| find(path)) {
                match map.and_then(|map| validate_file(&map, profile)) {
                    Ok(map) => checked.push(map),
                    Err(error) => refused(&CallError::from(&error)),
                }
            }
        }
        Some(validator) => {
            let options = ValidateOptions {
                lenient: arguments.lenient,
                draft_a2wf_1_1: arguments.experimental.contains(&Experimental::A2wf11),
                now: Some(SystemClock.unix_millis()),
            };
            for path in &arguments.paths {
                match document(validator, path, options) {
                    Ok(document) => checked.push(document),
                    Err(error) => refused(&error),
                }
            }
        }
    }
    let noun = if arguments.system == System::Actions { "map" } else { "document" };
    let findings: Vec<&Finding> = checked.iter().flat_map(|checked| &checked.findings).collect();
    match arguments.format {
        Format::Human => findings::human::print(findings.iter().copied()),
        Format::Json => findings::json::print(&findings),
        Format::Sarif => findings::sarif::print(&findings),
        Format::Github => findings::github::print(&findings),
    }
    let worst = if arguments.deny_warnings { Severity::Warning } else { Severity::Error };
    let is_rejected =
        |checked: &&Validation| checked.findings.iter().any(|finding| finding.severity <= worst);
    let rejected = checked.iter().filter(is_rejected).count();
    if !arguments.quiet && !checked.is_empty() {
        note(summary(&checked, rejected, noun));
    }
    match exit {
        Exit::Done if rejected > 0 => Exit::Invalid,
        exit => exit,
    }
}

/// Parses the name of a system whose documents can be validated.
fn system(text: &str) -> Result<System, String> {
    let known = System::of_name(text);
    known.filter(|system| *system == System::Actions || validator(*system).is_some()).ok_or_else(|| {
        let names: Vec<&str> = VALIDATORS.iter().map(|validator| validator.system.as_str()).collect();
        format!("documents of `{text}` cannot be validated; write actions, {}", names.join(", "))
    })
}

/// Validates a document of another system than ours.
fn document(validator: &Validator, path: &Path, options: ValidateOptions) -> Result<Validation, CallError> {
    let name = path.display().to_string();
    let bytes = read_file(path).map_err(|error| {
        CallError::new(ErrorCode::ManifestNotFound, format!("{name}: {error}"))
            .with_evidence("hint", "pass the path of a document")
    })?;
    Ok(Validation { findings: (validator.validate)(&name, &bytes, options), manifest: None })
}

fn summary(checked: &[Validation], rejected: usize, noun: &str) -> String {
    let total = |severity| checked.iter().map(|checked| checked.count(severity)).sum::<usize>();
    let counts =
        [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Advice, "piece of advice")];
    let counts =
        counts.iter().map(|(severity, noun)| (total(*severity), *noun)).filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts
        .map(|(count, noun)| match noun {
            "piece of advice" if count > 1 => format!("{count} pieces of advice"),
            noun => counted(count, noun),
        })
        .collect();
    let verdict = match rejected {
        0 => format!("{} valid", counted(checked.len(), noun)),
        rejected => format!("{} of {} rejected", rejected, counted(checked.len(), noun)),
    };
    if counts.is_empty() { verdict } else { format!("{verdict}: {}", counts.join(", ")) }
}
