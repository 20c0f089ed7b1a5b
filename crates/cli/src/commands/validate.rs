//! `actions validate`: reports every finding in maps.

use std::path::PathBuf;

use actions_engine::CallError;
use actions_manifest::{Finding, Profile, Severity, Validation};
use actions_protocol::Exit;
use clap::ValueEnum;

use crate::failure::{Around, explain};
use crate::findings;
use crate::maps::{find, validate_file};
use crate::output::note;
use crate::text::counted;

/// Reports every problem in maps, with its code, position and fix
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  actions validate sites\n  actions validate --format sarif sites > findings.sarif"
)]
pub(crate) struct Arguments {
    /// Maps, or folders to search for actions.json
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Report mistakes that are common in published maps as warnings
    #[arg(long)]
    lenient: bool,
    /// Reject maps with warnings too
    #[arg(long)]
    deny_warnings: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    format: Format,
    /// Print no summary
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
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
    for map in arguments.paths.iter().flat_map(|path| find(path)) {
        match map.and_then(|map| validate_file(&map, profile)) {
            Ok(map) => checked.push(map),
            Err(error) => {
                explain(&CallError::from(&error), Around::default());
                note("");
                exit = Exit::Usage;
            }
        }
    }
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
        note(summary(&checked, rejected));
    }
    match exit {
        Exit::Done if rejected > 0 => Exit::Invalid,
        exit => exit,
    }
}

fn summary(checked: &[Validation], rejected: usize) -> String {
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
        0 => format!("{} valid", counted(checked.len(), "map")),
        rejected => format!("{} of {} rejected", rejected, counted(checked.len(), "map")),
    };
    if counts.is_empty() { verdict } else { format!("{verdict}: {}", counts.join(", ")) }
}
