//! `actions serve`: serves the pages of maps, by the Actions Bridge Protocol or by the Web Agent Bridge.

mod wab;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use actions_bridge::connect::Connecting;
use actions_bridge::listen::Listening;
use actions_bridge::{Bridge, People, stdio};
use actions_engine::{CallError, CancellationToken};
use actions_protocol::{ErrorCode, Exit};
use actions_runtime::{Runtime, RuntimeEvent, RuntimeOptions};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::enforced_policy::EnforceOption;
use crate::failure::{Around, explain};
use crate::gate_options::{GateOptions, address, cannot_listen};
use crate::held::Held;
use crate::hosting::Hosting;
use crate::interrupt;
use crate::live_session::block_on;
use crate::output::note;
use crate::session_options::refuse_saving;
use wab::WabOptions;

/// The time between two looks at the files of the maps.
const REFRESH: Duration = Duration::from_secs(1);

/// A session that is served ends with its command, not for being idle.
const NEVER: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// Serves the pages of maps to agents, by the Actions Bridge Protocol
///
/// Opens a browser session and announces each of its pages as a runtime. Clients send calls; each is answered once.
/// `--stdio` has one client; with `--listen 127.0.0.1:0 --token-file FILE`, clients connect by WebSocket.
///
/// With `--wab`, agents that speak the Web Agent Bridge find the tools as commands instead: by HTTP and WebSocket at the
/// address, and in the page itself. The token is the key by which they begin a session.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("transport").required(true).args(["stdio", "listen", "connect"])), after_help = r#"Example:
  echo '{"type":"action_call","call_id":"1","name":"page.info","arguments":{}}' |
    actions serve sites/example.com/actions.json --stdio \
    --replay sites/example.com/recordings/search.har"#)]
pub(crate) struct Arguments {
    /// Serve one client on standard input and output, one item per line
    #[arg(long)]
    stdio: bool,
    /// Serve WebSocket clients at this address; port 0 picks one
    #[arg(long, value_name = "ADDR:PORT", value_parser = address)]
    listen: Option<SocketAddr>,
    /// Dial out to a bridge at this address and serve it, again and again
    #[arg(long, value_name = "WS_URL")]
    connect: Option<String>,
    #[command(flatten)]
    gate: GateOptions,
    #[command(flatten)]
    enforce: EnforceOption,
    /// Also serve a page for people at this address: what runs, live pictures, forms for the tools
    #[arg(long, requires = "listen")]
    ui: bool,
    /// Ask the people on that page before each call that may change the site
    #[arg(long, requires = "ui")]
    ask: bool,
    #[command(flatten)]
    wab: WabOptions,
    /// Name of the session; the ids of its pages begin with it
    #[arg(long, value_name = "NAME", default_value = "serve")]
    name: String,
    #[command(flatten)]
    hosting: Hosting,
}

pub(crate) fn run(arguments: Arguments) -> Exit {
    let mut arguments = arguments;
    arguments.hosting.people = arguments.ask.then(People::default);
    let served = arguments.enforce.admission().and_then(|admission| {
        arguments.hosting.admission = admission;
        block_on(serve(&arguments))
    });
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
    actions_runtime::check_name(&arguments.name)?;
    hosting.live.browser.check()?;
    refuse_saving(&hosting.live)?;
    arguments.gate.check_reach(arguments.listen)?;
    if let Some(url) = &arguments.connect {
        connecting(arguments, url)?;
    }
    let cancel = CancellationToken::new();
    let _listening = interrupt::listen(cancel.clone());
    let runtime = Runtime::new(hosting.launcher(&cancel), RuntimeOptions::default().idle(NEVER));
    let opening = hosting.open(&runtime, &arguments.name, None);
    let opened = tokio::select! {
        biased;
        () = cancel.cancelled() => Err(CallError::new(ErrorCode::Cancelled, "the command was ended while it started")),
        opened = opening => opened,
    };
    let held = match opened {
        Ok(held) => held,
        Err(error) => {
            runtime.close().await;
            return Err(error);
        }
    };
    let events = runtime.events();
    if let Some(address) = arguments.listen.filter(|_| arguments.wab.wab) {
        return wab::serve(arguments, address, runtime, held, events, &cancel).await;
    }
    let bridge = Bridge::new(runtime).await;
    let served = until_end(arguments, &bridge, &held, events, &cancel).await;
    bridge.end().await;
    served
}

/// Serves until the transport ends, the command is asked to end, or the session is of no use any more.
async fn until_end(
    arguments: &Arguments,
    bridge: &Bridge,
    held: &Held,
    events: Receiver<RuntimeEvent>,
    cancel: &CancellationToken,
) -> Result<(), CallError> {
    let serving = transport(arguments, bridge, cancel);
    let watching = async {
        let lost = end_of_session(events).await;
        cancel.cancel();
        lost
    };
    tokio::pin!(serving, watching);
    tokio::select! {
        biased;
        served = &mut serving => served,
        lost = &mut watching => serving.await.and(Err(lost)),
        () = refresh(held, arguments.hosting.quiet) => Ok(()),
    }
}

/// Serves by the transport that was chosen, until it ends or `stop` is cancelled.
async fn transport(
    arguments: &Arguments,
    bridge: &Bridge,
    stop: &CancellationToken,
) -> Result<(), CallError> {
    if let Some(address) = arguments.listen {
        return listen(arguments, address, bridge, stop).await;
    }
    if let Some(url) = &arguments.connect {
        connecting(arguments, url)?.serve(bridge, stop).await;
        return Ok(());
    }
    let served = stdio::serve(bridge, tokio::io::stdin(), tokio::io::stdout(), stop).await;
    served.map_err(|error| {
        CallError::new(ErrorCode::TransportFailed, format!("the client cannot be reached: {error}"))
    })
}

/// The bridge to dial. Maps that it sends run under the limits and the policy of this command.
fn connecting(arguments: &Arguments, url: &str) -> Result<Connecting, CallError> {
    let connecting = Connecting::to(url, arguments.hosting.make_engine());
    let connecting = connecting.map_err(|error| {
        CallError::new(ErrorCode::WrongUsage, error.to_string())
            .with_evidence("hint", "write it as ws://127.0.0.1:17345/extension")
    })?;
    let quiet = arguments.hosting.quiet;
    Ok(connecting.reporting(Arc::new(move |line: &str| {
        if !quiet {
            note(crate::text::line(line));
        }
    })))
}

async fn listen(
    arguments: &Arguments,
    address: SocketAddr,
    bridge: &Bridge,
    stop: &CancellationToken,
) -> Result<(), CallError> {
    let (gate, shown) = arguments.gate.gate()?;
    let listening = Listening::at(address, gate).await.map_err(|error| cannot_listen(address, &error))?;
    note(listening.url());
    let listening = match arguments.ui {
        true => listening.with_page(arguments.hosting.people.clone().unwrap_or_default()),
        false => listening,
    };
    if let Some(token) = &shown {
        note(format_args!("token: {token}"));
    }
    if arguments.ui {
        let token = shown.unwrap_or_else(|| "TOKEN".to_owned());
        note(format_args!("page for people: {}#token={token}", listening.page_url()));
    }
    listening.serve(bridge, stop).await;
    Ok(())
}

/// Uses the maps as their files are, again and again. Never completes.
async fn refresh(held: &Held, quiet: bool) {
    loop {
        tokio::time::sleep(REFRESH).await;
        let lines = held.refresh_maps();
        if !quiet {
            lines.into_iter().for_each(note);
        }
    }
}

/// Waits until the session is of no use any more, and says why.
async fn end_of_session(mut events: Receiver<RuntimeEvent>) -> CallError {
    loop {
        let message = match events.recv().await {
            Ok(RuntimeEvent::BrowserLost { reason, .. }) => format!("the browser is gone: {reason}"),
            Ok(RuntimeEvent::SessionEnded { .. }) | Err(RecvError::Closed) => {
                "the session has ended".to_owned()
            }
            Ok(_) | Err(RecvError::Lagged(_)) => continue,
        };
        return CallError::new(ErrorCode::BrowserLost, message)
            .with_evidence("hint", "start the command again; nothing was repeated elsewhere");
    }
}
