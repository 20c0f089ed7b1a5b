//! `actions serve --wab`: serves the tools of maps by the Web Agent Bridge.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use actions_engine::{CallError, CancellationToken};
use actions_protocol::ErrorCode;
use actions_runtime::{Runtime, RuntimeEvent};
use actions_wab::audit::AuditFile;
use actions_wab::listen::Listening;
use actions_wab::{
    Bridge, BridgeError, BridgeOptions, Keys, Permission, Permissions, Selectors, page_global,
};
use tokio::sync::broadcast::Receiver;

use super::{Arguments, REFRESH, end_of_session};
use crate::gate_options::cannot_listen;
use crate::held::Held;
use crate::output::note;

/// Options of the Web Agent Bridge.
#[derive(Debug, clap::Args)]
pub(super) struct WabOptions {
    /// Speak the Web Agent Bridge at the address, and put it into the pages
    #[arg(long, requires = "listen", conflicts_with_all = ["ui", "ask"])]
    pub(super) wab: bool,
    /// Add nothing to the protocol for clients of other dialects
    #[arg(long, requires = "wab")]
    wab_strict: bool,
    /// File of keys, each with its agent and its permissions; without it, the token is the only key
    #[arg(long, value_name = "FILE", requires = "wab")]
    wab_keys: Option<PathBuf>,
    /// Append an entry for each command to this file
    #[arg(long, value_name = "FILE", requires = "wab")]
    wab_log: Option<PathBuf>,
    /// Withhold a permission although commands need it, such as `navigate`
    #[arg(long, value_name = "PERMISSION", requires = "wab")]
    wab_withhold: Vec<Permission>,
    /// Refuse to read this CSS selector
    #[arg(long, value_name = "SELECTOR", requires = "wab")]
    wab_block: Vec<String>,
    /// How many commands a minute a session may send
    #[arg(long, value_name = "COUNT", default_value_t = 60, requires = "wab", value_parser = clap::value_parser!(u64).range(1..))]
    wab_rate: u64,
    /// Require a session for commands that may change something
    #[arg(long, requires = "wab")]
    require_auth_for_writes: bool,
}

/// Serves agents until the command is asked to end, or the session is of no use any more.
pub(super) async fn serve(
    arguments: &Arguments,
    address: SocketAddr,
    runtime: Runtime,
    held: Held,
    events: Receiver<RuntimeEvent>,
    cancel: &CancellationToken,
) -> Result<(), CallError> {
    let served = served(arguments, address, &runtime, &held, events, cancel).await;
    runtime.close().await;
    served
}

async fn served(
    arguments: &Arguments,
    address: SocketAddr,
    runtime: &Runtime,
    held: &Held,
    events: Receiver<RuntimeEvent>,
    cancel: &CancellationToken,
) -> Result<(), CallError> {
    let (token, is_shown, origins) = arguments.gate.parts()?;
    let options = options(&arguments.wab, token.as_str(), origins)?;
    let bridge = Bridge::new(runtime, held.session.clone(), &held.versions(), options)
        .map_err(|error| unfit(&error))?;
    let shown = is_shown.then(|| token.as_str().to_owned());
    let (gate, _) = arguments.gate.gate_of(token)?;
    let listening = Listening::at(address, gate).await.map_err(|error| cannot_listen(address, &error))?;
    note(listening.url());
    if let Some(key) = shown {
        note(format_args!("key: {key}"));
    }
    let serving = async {
        tokio::join!(listening.serve(&bridge, cancel), page_global::serve(&bridge, runtime, cancel));
    };
    let watching = async {
        let lost = end_of_session(events).await;
        cancel.cancel();
        lost
    };
    let refreshing = async {
        loop {
            tokio::time::sleep(REFRESH).await;
            let lines = held.refresh_maps();
            if !lines.is_empty()
                && let Err(error) = bridge.set_maps(&held.versions())
            {
                note(format_args!("warning: {error}; the commands before stay in use"));
            }
            if !arguments.hosting.quiet {
                lines.into_iter().for_each(note);
            }
        }
    };
    tokio::pin!(serving, watching);
    tokio::select! {
        biased;
        () = &mut serving => Ok(()),
        lost = &mut watching => {
            serving.await;
            Err(lost)
        }
        () = refreshing => Ok(()),
    }
}

fn options(wab: &WabOptions, token: &str, origins: &[String]) -> Result<BridgeOptions, CallError> {
    let wrong = |message: String| CallError::new(ErrorCode::WrongUsage, message);
    let keys = match &wab.wab_keys {
        Some(path) => Keys::read(path),
        None => Keys::default().with("agent", token, Permissions::ALL),
    };
    let mut options = BridgeOptions {
        keys: keys.map_err(|error| wrong(error.to_string()))?,
        strict: wab.wab_strict,
        auth_for_writes: wab.require_auth_for_writes,
        withheld: Permissions::of(wab.wab_withhold.iter().copied()),
        selectors: Selectors { blocked: wab.wab_block.clone(), allowed: Vec::new() },
        origins: origins.to_vec(),
        max_rate: wab.wab_rate,
        ..BridgeOptions::default()
    };
    if let Some(path) = &wab.wab_log {
        let file = AuditFile::open(path).map_err(|error| wrong(format!("{}: {error}", path.display())))?;
        options.audit = Arc::new(file);
    }
    Ok(options)
}

/// The error of maps that cannot be commands.
fn unfit(error: &BridgeError) -> CallError {
    let code = match error {
        BridgeError::Collision(_) => ErrorCode::NameCollision,
        _ => ErrorCode::WrongUsage,
    };
    CallError::new(code, error.to_string())
}
