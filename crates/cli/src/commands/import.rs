//! `actions import`: makes a map of what a site publishes for agents.

use std::path::{Path, PathBuf};
use std::time::Duration;

use actions_engine::CallError;
use actions_interop::classify::System;
use actions_interop::import::{Imported, Prefer, Source, Wishes, import};
use actions_manifest::{Profile, read_file};
use actions_protocol::{ErrorCode, Exit};
use clap::ValueEnum;

use crate::failure::{Around, explain};
use crate::findings;
use crate::live::duration;
use crate::output::{self, note};
use crate::output_file::OutputFile;
use crate::published;
use crate::text::{counted, line};

/// Makes a map of what a site publishes for agents: AWAS or AWP
///
/// The content of the document decides what it is. The map is an ordinary actions.json: review it, correct it, and use it like
/// any other. What is odd about the document is printed on standard error.
#[derive(Debug, clap::Args)]
#[command(after_help = r#"Example:
  echo '{"awp_version": "0.2", "domain": "shop.example", "intent": "Sells maps", "actions": [
    {"id": "list", "description": "Lists maps", "auth_required": false, "inputs": {}, "outputs": {},
     "endpoint": "/api/maps", "method": "GET"}]}' > agent.json
  actions import agent.json -o shop.actions.json
  actions list shop.actions.json"#)]
pub(crate) struct Arguments {
    /// Address or file of the document, or address of the site
    #[arg(value_name = "URL|FILE")]
    source: String,
    /// Fail unless the document is of this system
    #[arg(long, value_enum, value_name = "SYSTEM")]
    system: Option<ImportedSystem>,
    /// Prefix of the names of the tools; the host of the site if absent
    #[arg(long, value_name = "NAME")]
    namespace: Option<String>,
    /// How actions are called that allow both
    #[arg(long, value_enum, value_name = "WAY")]
    prefer: Option<Way>,
    /// Ask for everything that the specification asks for
    #[arg(long, conflicts_with = "lenient")]
    strict: bool,
    /// Accept what published documents commonly get wrong; this is the default
    #[arg(long)]
    lenient: bool,
    /// Accept a document that an intermediary made, and not the site
    #[arg(long)]
    allow_synthetic: bool,
    /// Let calls fail if a result is not as the site declares
    #[arg(long)]
    strict_results: bool,
    /// File to write the map to; standard output if absent
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Time limit, such as 30s
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "30s")]
    timeout: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ImportedSystem {
    /// AI actions
    Awas,
    /// The Agent Web Protocol
    Awp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Way {
    /// By requests
    Http,
    /// In pages
    Browser,
}

impl Arguments {
    fn wishes(&self) -> Wishes {
        Wishes {
            system: self.system.map(|system| match system {
                ImportedSystem::Awas => System::Awas,
                ImportedSystem::Awp => System::Awp,
            }),
            namespace: self.namespace.clone(),
            profile: if self.strict { Profile::Strict } else { Profile::Lenient },
            prefer: self.prefer.map(|way| match way {
                Way::Http => Prefer::Http,
                Way::Browser => Prefer::Browser,
            }),
            allow_synthetic: self.allow_synthetic,
            strict_results: self.strict_results,
        }
    }
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    let done = imported(&arguments).and_then(|imported| write(&imported, arguments.output.as_deref()));
    match done {
        Ok(()) => Exit::Done,
        Err(error) => {
            explain(&error, Around::default());
            error.exit()
        }
    }
}

fn imported(arguments: &Arguments) -> Result<Imported, CallError> {
    let wishes = arguments.wishes();
    if published::is_address(&arguments.source) {
        return published::import(&arguments.source, &wishes, arguments.timeout);
    }
    let bytes = read_file(Path::new(&arguments.source)).map_err(|error| {
        CallError::new(ErrorCode::ManifestNotFound, format!("{}: {error}", arguments.source))
    })?;
    import(&Source::file(arguments.source.clone(), bytes), &wishes).map_err(|error| {
        findings::human::print(error.findings());
        CallError::from(&error)
    })
}

/// Writes the map, and says what became of the document.
fn write(imported: &Imported, file: Option<&Path>) -> Result<(), CallError> {
    findings::human::print(&imported.findings);
    for left in &imported.site.left_out {
        note(format_args!("left out: {}: {}", line(&left.id), line(&left.reason)));
    }
    let tools = imported.map["tools"].as_array().map_or(0, Vec::len);
    let Some(file) = file else {
        output::json(&imported.map);
        return Ok(());
    };
    let mut text = serde_json::to_string_pretty(&imported.map)
        .map_err(|error| CallError::new(ErrorCode::InternalError, error.to_string()))?;
    text.push('\n');
    let written = OutputFile::create(file).and_then(|kept| kept.keep_shared(text.as_bytes()));
    written.map_err(|error| {
        CallError::new(ErrorCode::WrongUsage, format!("{}: {error}", file.display()))
            .with_evidence("hint", "name a file in a folder that exists")
    })?;
    let system = &imported.site.provenance.system;
    note(format_args!("{}: {} of {system}", line(&file.display().to_string()), counted(tools, "tool")));
    Ok(())
}
