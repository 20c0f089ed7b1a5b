//! `actions auth`: stores, lists and removes credentials for sites.

use actions_engine::CallError;
use actions_interop::credentials::{Credential, Credentials, Scheme, Secret};
use actions_protocol::{ErrorCode, Exit};
use clap::{Subcommand, ValueEnum};
use serde_json::json;

use crate::credentials::{secret, unusable};
use crate::failure::{Around, explain};
use crate::live::origin;
use crate::output::{self, note, result};
use crate::text::{columns, counted, line};

/// Stores, lists and removes credentials for sites
///
/// Credentials are kept by origin and system, in a file that only you can read. They are added to requests when those are
/// sent, and to nothing else. `ACTIONS_CREDENTIALS` names another file.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  FLIGHTS_TOKEN=a-token actions auth set https://flights.example --system awp --scheme bearer \\\n    --from-env FLIGHTS_TOKEN\n  actions auth list\n  actions auth rm https://flights.example"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Store a token, a key or a password for a site
    ///
    /// The secret is read from `--from-env`, else from the terminal without showing it, else from standard input. It cannot
    /// be an argument, because other users see those.
    #[command(
        after_help = "Examples:\n  FLIGHTS_TOKEN=a-token actions auth set https://flights.example --system awp --scheme bearer \\\n    --from-env FLIGHTS_TOKEN\n  echo a-key |\n    actions auth set https://shop.example --system awas --scheme api-key --header X-Shop-Key"
    )]
    Set(SetArguments),
    /// List the sites for which credentials are stored
    #[command(after_help = "Example:\n  actions auth list --format json")]
    List(ListArguments),
    /// Remove the credentials for a site
    #[command(
        after_help = "Example:\n  echo a-token | actions auth set https://flights.example --system awp --scheme bearer\n  actions auth rm https://flights.example --system awp"
    )]
    Rm(RemoveArguments),
}

#[derive(Debug, clap::Args)]
struct SetArguments {
    /// Site, such as `https://flights.example`
    #[arg(value_name = "ORIGIN", value_parser = origin)]
    origin: String,
    /// System whose requests carry them
    #[arg(long, value_enum, value_name = "SYSTEM")]
    system: System,
    /// How they are sent
    #[arg(long, value_name = "SCHEME", value_parser = str::parse::<Scheme>)]
    scheme: Scheme,
    /// Header of an API key; X-API-Key if absent
    #[arg(long, value_name = "NAME", value_parser = header_name)]
    header: Option<String>,
    /// Variable of the environment that holds the secret
    #[arg(long, value_name = "VAR")]
    from_env: Option<String>,
}

#[derive(Debug, clap::Args)]
struct ListArguments {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human, value_name = "FORMAT")]
    format: Format,
}

#[derive(Debug, clap::Args)]
struct RemoveArguments {
    /// Site, such as `https://flights.example`
    #[arg(value_name = "ORIGIN", value_parser = origin)]
    origin: String,
    /// System; all systems if absent
    #[arg(long, value_enum, value_name = "SYSTEM")]
    system: Option<System>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// A JSON array
    Json,
}

/// The systems whose requests carry credentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum System {
    /// `http.request` of maps that people write
    Actions,
    /// AI actions
    Awas,
    /// The Agent Web Protocol
    Awp,
    /// The Web Agent Bridge
    Wab,
}

impl System {
    fn as_str(self) -> &'static str {
        match self {
            Self::Actions => "actions",
            Self::Awas => "awas",
            Self::Awp => "awp",
            Self::Wab => "wab",
        }
    }
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    let store = Credentials::usual();
    let done = match arguments.action {
        Action::Set(arguments) => set(&store, arguments),
        Action::List(arguments) => list(&store, &arguments),
        Action::Rm(arguments) => remove(&store, &arguments),
    };
    match done {
        Ok(()) => Exit::Done,
        Err(error) => {
            explain(&error, Around::default());
            error.exit()
        }
    }
}

fn set(store: &Credentials, arguments: SetArguments) -> Result<(), CallError> {
    let Some(path) = store.path() else {
        return Err(CallError::new(
            ErrorCode::CapabilityUnavailable,
            "there is no folder to keep credentials in",
        )
        .with_evidence("hint", "set `ACTIONS_CREDENTIALS` to the path of a file"));
    };
    let secret = Secret::new(secret(arguments.from_env.as_deref())?);
    let credential = Credential { scheme: arguments.scheme, secret, header: arguments.header };
    if credential.scheme == Scheme::Basic && !credential.secret.expose().contains(':') {
        return Err(CallError::new(ErrorCode::WrongUsage, "the secret of `basic` is not USER:PASSWORD"));
    }
    let system = arguments.system.as_str();
    store.set(&arguments.origin, system, credential).map_err(|error| unusable(&error))?;
    note(format_args!("stored for {} ({system}) in {}", arguments.origin, line(&path.display().to_string())));
    Ok(())
}

fn list(store: &Credentials, arguments: &ListArguments) -> Result<(), CallError> {
    let list = store.list().map_err(|error| unusable(&error))?;
    match arguments.format {
        Format::Json => output::json(&json!(list)),
        Format::Human if list.is_empty() => note("no credentials are stored"),
        Format::Human => {
            let rows = list.iter().map(|one| {
                let header = one.header.as_deref().unwrap_or_default();
                vec![
                    one.origin.clone(),
                    one.system.clone(),
                    one.scheme.as_str().to_owned(),
                    header.to_owned(),
                ]
            });
            result(columns(&rows.collect::<Vec<_>>()));
        }
    }
    Ok(())
}

fn remove(store: &Credentials, arguments: &RemoveArguments) -> Result<(), CallError> {
    let system = arguments.system.map(System::as_str);
    let removed = store.remove(&arguments.origin, system).map_err(|error| unusable(&error))?;
    if removed == 0 {
        let message = format!("no credentials are stored for {}", arguments.origin);
        return Err(CallError::new(ErrorCode::WrongUsage, message)
            .with_evidence("hint", "`actions auth list` lists them"));
    }
    note(format_args!("removed {} for {}", counted(removed, "credential"), arguments.origin));
    Ok(())
}

/// Parses the name of a header.
fn header_name(text: &str) -> Result<String, String> {
    let is_name =
        !text.is_empty() && text.len() <= 64 && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let is_ours =
        ["host", "cookie", "user-agent", "content-length"].contains(&text.to_ascii_lowercase().as_str());
    (is_name && !is_ours)
        .then(|| text.to_owned())
        .ok_or_else(|| format!("`{text}` cannot be the header of a key"))
}
