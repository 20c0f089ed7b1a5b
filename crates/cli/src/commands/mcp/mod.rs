//! `actions mcp`: serves maps by the Model Context Protocol.

mod print_config;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use actions_engine::{CallError, CancellationToken};
use actions_mcp::listen::Listening;
use actions_mcp::{Confirmations, Offer, Server, ServerOptions, TextStyle, recordings_of, stdio};
use actions_protocol::{ErrorCode, Exit};
use actions_runtime::{MapChange, MapFiles, OpenSession, Runtime, RuntimeOptions};
use clap::ValueEnum;

use crate::enforced_policy::EnforceOption;
use crate::failure::{Around, explain};
use crate::gate_options::{GateOptions, address, cannot_listen};
use crate::held::described;
use crate::host::CommandHost;
use crate::hosting::Hosting;
use crate::interrupt;
use crate::live_session::block_on;
use crate::output::note;
use crate::session_options::refuse_saving;

/// The time between two looks at the files of the maps.
const REFRESH: Duration = Duration::from_secs(1);

/// How small the budget of a result may be.
const LEAST_RESULT: usize = 1_024;

/// Serves maps to agents that speak MCP, the Model Context Protocol
///
/// Each tool of the maps becomes a tool of MCP, with `actions_site` for the state of a page and `actions_page` for pages.
/// The client speaks on standard input and output; with `--listen 127.0.0.1:0`, clients connect by streamable HTTP. The
/// browser starts when a tool needs it. A call that may change a site is confirmed by a person, through the client.
#[derive(Debug, clap::Args)]
#[command(after_help = r#"Examples:
  actions mcp sites/example.com/actions.json --print-config claude-code
  echo '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
    "io.modelcontextprotocol/protocolVersion":"2026-07-28",
    "io.modelcontextprotocol/clientCapabilities":{}}}}' | tr -d '\n' |
    actions mcp sites/example.com/actions.json \
    --replay sites/example.com/recordings/search.har"#)]
pub(crate) struct Arguments {
    /// Serve clients by streamable HTTP at this address; port 0 picks one
    #[arg(long, value_name = "ADDR:PORT", value_parser = address)]
    listen: Option<SocketAddr>,
    #[command(flatten)]
    gate: GateOptions,
    /// Tools to list: every tool, those that apply to the current page, or only actions_site and actions_page
    #[arg(long, value_enum, default_value_t = Tools::Page, value_name = "TOOLS")]
    tools: Tools,
    /// Text of results: short, or the whole value for clients that ignore structured content
    #[arg(long, value_enum, default_value_t = Text::Short, value_name = "TEXT")]
    text: Text,
    /// Bytes that the value in a result may have; a larger value is linked as a resource
    #[arg(long, value_name = "BYTES", default_value_t = 16 * 1024)]
    max_result_bytes: usize,
    /// Offer primitives, which work without a map
    #[arg(long)]
    allow_primitives: bool,
    /// Confirm every call in advance: the client is not asked before a call changes a site
    #[arg(long)]
    yes: bool,
    /// Confirm the calls of this tool
    #[arg(long, value_name = "TOOL", conflicts_with = "yes")]
    confirm: Vec<String>,
    /// Print the configuration of a client instead, with this command in it
    #[arg(long, value_enum, value_name = "CLIENT")]
    print_config: Option<print_config::ClientName>,
    #[command(flatten)]
    enforce: EnforceOption,
    #[command(flatten)]
    hosting: Hosting,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Tools {
    /// Every tool of the maps
    All,
    /// The tools that apply to the current page, for clients that can be notified of a change; else every tool
    Page,
    /// Only actions_site and actions_page
    Site,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Text {
    /// Small values, and outlines of others
    Short,
    /// Whole values
    Full,
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    let served = match arguments.print_config {
        Some(client) => print_config::print(client, &arguments.hosting),
        None => block_on(serve(&arguments)),
    };
    match served {
        Ok(()) => Exit::Done,
        Err(error) => {
            explain(&error, Around::default());
            error.exit()
        }
    }
}

async fn serve(arguments: &Arguments) -> Result<(), CallError> {
    let hosting = &arguments.hosting;
    hosting.live.browser.check()?;
    refuse_saving(&hosting.live)?;
    arguments.gate.check_reach(arguments.listen)?;
    let confirmations = arguments.confirmations();
    let guard = confirmations.clone();
    let mut files = hosting.maps(move |engine| guard.guard(engine))?;
    check_confirmed(&arguments.confirm, &files)?;
    let (context, url) = (hosting.context()?, hosting.live.url.clone());
    let cancel = CancellationToken::new();
    let _listening = interrupt::listen(cancel.clone());
    let runtime = Runtime::new(hosting.launcher(&cancel), RuntimeOptions::default());
    let host = CommandHost::new(
        &hosting.maps,
        hosting.agent.as_deref(),
        context.replay.as_ref(),
        hosting.live.identity_of_agent(),
    );
    let admission = arguments.enforce.admission()?;
    let make_session = move |name: &str| {
        let open = OpenSession::named(name).context(context.clone()).host(host.clone());
        let mut open = open.admission(admission.clone());
        open.url.clone_from(&url);
        open
    };
    let options = arguments.options()?;
    let server = Server::new(runtime, &files.versions(), Arc::new(make_session), confirmations, options);
    let served = tokio::select! {
        biased;
        served = transport(arguments, &server, &cancel) => served,
        () = refresh(&server, &mut files, hosting.quiet) => Ok(()),
    };
    server.end().await;
    served
}

impl Arguments {
    fn confirmations(&self) -> Confirmations {
        match self.yes {
            true => Confirmations::never(),
            false => Confirmations::ask(self.confirm.iter().cloned()),
        }
    }

    fn options(&self) -> Result<ServerOptions, CallError> {
        let offer = match self.tools {
            Tools::All => Offer::All,
            Tools::Page => Offer::Page,
            Tools::Site => Offer::Site,
        };
        let text = match self.text {
            Text::Short => TextStyle::Short,
            Text::Full => TextStyle::Full,
        };
        let files = self.hosting.files()?;
        let options = ServerOptions::default()
            .offer(offer)
            .text(text)
            .primitives(self.allow_primitives)
            .result_bytes(self.max_result_bytes.max(LEAST_RESULT))
            .recordings(recordings_of(files.iter().map(|file| file.as_path())))
            .visible(self.hosting.live.browser.headed());
        Ok(options)
    }
}

/// Makes sure that the confirmed tools exist, so that a misspelt one is not left unconfirmed.
fn check_confirmed(confirmed: &[String], files: &MapFiles) -> Result<(), CallError> {
    let versions = files.versions();
    for tool in confirmed {
        if !versions.iter().any(|version| version.engine.manifest().tool(tool).is_some()) {
            let message = format!("`--confirm {tool}`: no map has this tool");
            let names: Vec<String> =
                versions.iter().flat_map(|version| version.engine.tools().collect::<Vec<_>>()).collect();
            return Err(CallError::new(ErrorCode::WrongUsage, message).with_evidence("tools", names));
        }
    }
    Ok(())
}

/// Serves by the transport that was chosen, until it ends or `stop` is cancelled.
async fn transport(
    arguments: &Arguments,
    server: &Server,
    stop: &CancellationToken,
) -> Result<(), CallError> {
    let Some(address) = arguments.listen else {
        let served = stdio::serve(server, tokio::io::stdin(), tokio::io::stdout(), stop).await;
        return served.map_err(|error| {
            CallError::new(ErrorCode::TransportFailed, format!("the client cannot be served: {error}"))
        });
    };
    let (gate, shown) = arguments.gate.gate()?;
    let listening = Listening::at(address, gate).await.map_err(|error| cannot_listen(address, &error))?;
    note(listening.url());
    if let Some(token) = shown {
        note(format_args!("token: {token}"));
    }
    listening.serve(server, stop).await;
    Ok(())
}

/// Uses the maps as their files are, again and again. Never completes.
async fn refresh(server: &Server, files: &mut MapFiles, quiet: bool) {
    loop {
        tokio::time::sleep(REFRESH).await;
        let changes = files.refresh();
        if changes.iter().any(|change| matches!(change, MapChange::Reloaded { .. })) {
            server.set_maps(&files.versions());
        }
        if !quiet {
            changes.iter().filter_map(described).for_each(note);
        }
    }
}
