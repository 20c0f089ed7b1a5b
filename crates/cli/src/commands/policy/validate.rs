//! `actions policy validate`: every problem in a policy, like `actions validate --as a2wf`.

use std::path::PathBuf;

use actions_interop::classify::System;
use actions_protocol::Exit;

use super::super::validate as validation;
use crate::site_policy::Experimental;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  actions policy validate siteai.json")]
pub(super) struct Arguments {
    /// Policies to validate
    #[arg(required = true, value_name = "FILE")]
    paths: Vec<PathBuf>,
    /// Reject policies with warnings too
    #[arg(long)]
    deny_warnings: bool,
    /// Also read a draft of a standard
    #[arg(long, value_enum, value_name = "DRAFT")]
    experimental: Vec<Experimental>,
    /// Output format
    #[arg(long, value_enum, default_value_t = validation::Format::Human, value_name = "FORMAT")]
    format: validation::Format,
}

pub(super) fn run(arguments: Arguments) -> Exit {
    validation::run(validation::Arguments {
        paths: arguments.paths,
        system: System::A2wf,
        experimental: arguments.experimental,
        lenient: false,
        deny_warnings: arguments.deny_warnings,
        format: arguments.format,
        quiet: false,
    })
}
