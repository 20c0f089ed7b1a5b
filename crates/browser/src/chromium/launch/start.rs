//! Starts the browser and waits until it talks.

use std::sync::Arc;
use std::time::Duration;

use chromiumoxide_cdp::cdp::browser_protocol::browser::{GetVersionParams, GetVersionReturns};

use super::flags::flags;
use super::profile::Profile;
use super::{Executable, Keeper, LaunchNote, LaunchOptions, Sandbox, find};
use crate::cdp::Connection;
use crate::chromium::browser::ChromiumBrowser;
use crate::chromium::lifeline::Lifeline;
use crate::{Deadline, Error};

/// A browser that was launched.
pub struct Launched {
    /// The browser.
    pub browser: ChromiumBrowser,
    /// What a person should be told.
    pub notes: Vec<LaunchNote>,
}

/// What Chromium writes when the machine does not let it build its sandbox.
const NO_SANDBOX_HERE: &str = "No usable sandbox";
/// How long a browser that closed its pipe may take to exit by itself, so that its own status is reported.
const DYING: Duration = Duration::from_secs(2);

/// Launches a browser; without its sandbox if that is allowed and the only way.
pub async fn launch(options: LaunchOptions) -> Result<Launched, Error> {
    let executable = find(options.executable.as_deref(), options.headed)?;
    let deadline = Deadline::after(options.clock.as_ref(), options.timeout);
    let is_root = rustix::process::geteuid().is_root();
    let (sandbox, note) = match options.sandbox {
        Sandbox::On => (true, None),
        Sandbox::Off => (false, None),
        Sandbox::Auto if is_root => (false, Some(LaunchNote::SandboxOffForRoot)),
        Sandbox::Auto => (true, None),
    };
    let (started, notes) = match start_once(&options, &executable, sandbox, deadline).await {
        Err(Error::LaunchFailed { stderr, .. })
            if options.sandbox == Sandbox::Auto && sandbox && stderr.contains(NO_SANDBOX_HERE) =>
        {
            let reason = stderr.lines().find(|line| line.contains(NO_SANDBOX_HERE)).unwrap_or_default();
            let note = LaunchNote::SandboxUnusable { reason: reason.to_owned() };
            (start_once(&options, &executable, false, deadline).await?, vec![note])
        }
        other => (other?, Vec::from_iter(note)),
    };
    let (lifeline, version) = started;
    let browser = ChromiumBrowser::open(lifeline, version, options.viewport, deadline).await?;
    Ok(Launched { browser, notes })
}

async fn start_once(
    options: &LaunchOptions,
    executable: &Executable,
    sandbox: bool,
    deadline: Deadline,
) -> Result<(Lifeline, GetVersionReturns), Error> {
    let failed = |reason: String, stderr: String| Error::LaunchFailed {
        browser: executable.path.clone(),
        reason,
        stderr,
    };
    let root = options.profile_root.clone().unwrap_or_else(std::env::temp_dir);
    let profile = Profile::create(&root).map_err(|error| {
        failed(format!("no profile folder under {}: {error}", root.display()), String::new())
    })?;
    let flags = flags(options, executable, &profile.user_data_dir(), sandbox);
    let (keeper, ends) = Keeper::start(executable.path.clone(), flags, profile, root)
        .map_err(|error| failed(error.to_string(), String::new()))?;
    let (connection, tasks) = Connection::over_pipes(Arc::clone(&options.clock), ends).map_err(|error| {
        keeper.kill();
        failed(error.to_string(), String::new())
    })?;
    let lifeline = Lifeline::new(connection.clone(), tasks, Some(keeper.clone()));
    let version = connection.browser()?.send_uncounted(GetVersionParams {}, deadline).await;
    let error = match version {
        Ok(version) => return Ok((lifeline, version)),
        Err(error) => error,
    };
    let reason = if matches!(error, Error::Timeout { .. }) {
        format!("it did not answer within {:?}", deadline.limit())
    } else {
        let clock = &options.clock;
        tokio::select! {
            how = keeper.exited() => how,
            () = clock.sleep_until(clock.now() + DYING) => error.to_string(),
        }
    };
    drop(lifeline);
    keeper.cleaned().await;
    Err(failed(reason, keeper.stderr()))
}
