//! Launches the browser and waits until it responds.

use std::sync::Arc;
use std::time::Duration;

use chromiumoxide_cdp::cdp::browser_protocol::browser::{GetVersionParams, GetVersionReturns};

use super::flags::flags;
use super::keeper::CLEANING;
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
    /// Notes for the user.
    pub notes: Vec<LaunchNote>,
}

/// Messages of Chromium that mean that the machine does not support its sandbox.
const NO_SANDBOX_HERE: &[&str] = &[
    "No usable sandbox",
    "The SUID sandbox helper binary was found, but is not configured correctly",
    "Failed to move to new namespace",
];
/// How long to wait for the exit status of a browser that has closed its pipe.
const DYING: Duration = Duration::from_secs(2);

/// Launches a browser. With [`Sandbox::Auto`], turns the sandbox off if the machine does not support it.
pub async fn launch(options: LaunchOptions) -> Result<Launched, Error> {
    launch_as(options, rustix::process::geteuid().is_root()).await
}

async fn launch_as(options: LaunchOptions, is_root: bool) -> Result<Launched, Error> {
    let executable = find(options.executable.as_deref(), options.headed)?;
    if options.headed && executable.headless_shell {
        let reason = "the headless shell has no windows; use full Chromium to show one".to_owned();
        return Err(Error::LaunchFailed { browser: executable.path, reason, stderr: String::new() });
    }
    let deadline = Deadline::after(options.clock.as_ref(), options.timeout);
    let (sandbox, mut notes) = match options.sandbox {
        Sandbox::On => (true, vec![]),
        Sandbox::Off => (false, vec![]),
        Sandbox::Auto if is_root => (false, vec![LaunchNote::SandboxOffForRoot]),
        Sandbox::Auto => (true, vec![]),
    };
    let started = match start_once(&options, &executable, sandbox, deadline).await {
        Err(Error::LaunchFailed { stderr, .. })
            if options.sandbox == Sandbox::Auto
                && sandbox
                && NO_SANDBOX_HERE.iter().any(|sentence| stderr.contains(sentence)) =>
        {
            notes.push(LaunchNote::SandboxUnusable);
            start_once(&options, &executable, false, deadline).await
        }
        other => other,
    };
    let Started { lifeline, keeper, version } = started?;
    match ChromiumBrowser::open(lifeline, version, options.viewport, options.reach, deadline).await {
        Ok(browser) => Ok(Launched { browser, notes }),
        Err(error) => {
            // Dropping the lifeline has killed the browser.
            keeper.cleaned(options.clock.as_ref(), Deadline::after(options.clock.as_ref(), CLEANING)).await;
            Err(error)
        }
    }
}

/// A browser that responds.
struct Started {
    lifeline: Lifeline,
    keeper: Keeper,
    version: GetVersionReturns,
}

async fn start_once(
    options: &LaunchOptions,
    executable: &Executable,
    sandbox: bool,
    deadline: Deadline,
) -> Result<Started, Error> {
    let failed = |reason: String, stderr: String| Error::LaunchFailed {
        browser: executable.path.clone(),
        reason,
        stderr,
    };
    let root = options.profile_root.clone().unwrap_or_else(std::env::temp_dir);
    let profile = Profile::create(&root).map_err(|error| {
        failed(format!("cannot create a profile folder in {}: {error}", root.display()), String::new())
    })?;
    let flags = flags(options, executable, &profile.user_data_dir(), sandbox);
    let (keeper, ends) = Keeper::start(executable.path.clone(), flags, profile, root)
        .map_err(|error| failed(error.to_string(), String::new()))?;
    let clock = options.clock.as_ref();
    let (connection, tasks) = match Connection::over_pipes(Arc::clone(&options.clock), ends) {
        Ok(connected) => connected,
        Err(error) => {
            keeper.kill();
            keeper.cleaned(clock, Deadline::after(clock, CLEANING)).await;
            return Err(failed(error.to_string(), keeper.stderr()));
        }
    };
    let lifeline = Lifeline::new(connection.clone(), tasks, Some(keeper.clone()));
    // The connection may be lost already. A helper outside the process group may also keep it open after the exit.
    let asking = async { connection.browser()?.send_uncounted(GetVersionParams {}, deadline).await };
    let version = tokio::select! {
        biased;
        version = asking => version,
        how = keeper.exited() => Err(Error::BrowserLost { reason: how }),
    };
    let error = match version {
        Ok(version) => return Ok(Started { lifeline, keeper, version }),
        Err(error) => error,
    };
    let reason = if matches!(error, Error::Timeout { .. }) {
        format!("it did not respond within {:?}", deadline.limit())
    } else {
        tokio::select! {
            how = keeper.exited() => how,
            () = clock.sleep_until(clock.now() + DYING) => error.to_string(),
        }
    };
    drop(lifeline);
    keeper.cleaned(clock, Deadline::after(clock, CLEANING)).await;
    Err(failed(reason, keeper.stderr()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A program that reports an unusable sandbox, unless it was started without one.
    const NO_SANDBOX: &str = "#!/bin/sh
for flag; do [ \"$flag\" = --no-sandbox ] && { echo 'started without' >&2; exit 3; }; done
echo 'ERROR: No usable sandbox! If this is …' >&2
exit 1
";

    fn program(folder: &std::path::Path, text: &str) -> std::path::PathBuf {
        let program = folder.join("chromium");
        std::fs::write(&program, text).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        program
    }

    async fn last_words(sandbox: Sandbox, is_root: bool) -> String {
        let folder = tempfile::tempdir().unwrap();
        let program = program(folder.path(), NO_SANDBOX);
        let profile_root = Some(folder.path().to_path_buf());
        let options =
            LaunchOptions { executable: Some(program), sandbox, profile_root, ..LaunchOptions::default() };
        launch_as(options, is_root).await.err().unwrap().to_string()
    }

    #[tokio::test]
    async fn the_sandbox_is_turned_off_only_when_it_is_unusable_and_not_required() {
        assert!(last_words(Sandbox::Auto, false).await.contains("started without"));
        assert!(last_words(Sandbox::Auto, true).await.contains("started without"));
        assert!(last_words(Sandbox::On, false).await.contains("No usable sandbox"));
        assert!(last_words(Sandbox::Off, false).await.contains("started without"));
    }

    #[tokio::test]
    async fn every_message_about_an_unusable_sandbox_leads_to_a_launch_without_it_and_a_note() {
        let shell = find(None, false).unwrap().path;
        for sentence in NO_SANDBOX_HERE {
            let folder = tempfile::tempdir().unwrap();
            let text = format!(
                "#!/bin/sh\nfor flag; do [ \"$flag\" = --no-sandbox ] && exec {} \"$@\"; done\necho 'FATAL: {sentence}.' >&2\nexit 1\n",
                shell.display()
            );
            let options = LaunchOptions {
                executable: Some(program(folder.path(), &text)),
                profile_root: Some(folder.path().to_path_buf()),
                ..LaunchOptions::default()
            };
            let launched = launch_as(options, false).await.unwrap();
            assert_eq!(launched.notes, [LaunchNote::SandboxUnusable], "{sentence}");
            crate::Browser::close(&launched.browser).await;
        }
    }

    /// A program that responds to `Browser.getVersion` and refuses every other command.
    const REFUSES: &str = r#"#!/bin/bash
while IFS= read -r -d '' -u 3 message && [[ $message =~ \"id\":([0-9]+) ]]; do
  id=${BASH_REMATCH[1]}
  if [[ $message == *Browser.getVersion* ]]; then
    printf '{"id":%s,"result":{"protocolVersion":"1","product":"a","revision":"b","userAgent":"c","jsVersion":"d"}}\0' "$id" >&4
  else
    printf '{"id":%s,"error":{"code":-1,"message":"not today"}}\0' "$id" >&4
  fi
done
"#;

    #[tokio::test]
    async fn a_launch_that_fails_after_the_first_response_leaves_no_folder() {
        let (folder, profiles) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let options = LaunchOptions {
            executable: Some(program(folder.path(), REFUSES)),
            profile_root: Some(profiles.path().to_path_buf()),
            ..LaunchOptions::default()
        };
        let error = launch_as(options, false).await.err().unwrap();
        assert!(error.to_string().contains("not today"), "{error}");
        assert_eq!(std::fs::read_dir(profiles.path()).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn a_headed_launch_of_the_headless_shell_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let shell = program(folder.path(), "#!/bin/sh\n");
        let named = folder.path().join("headless-shell");
        std::fs::rename(shell, &named).unwrap();
        let options = LaunchOptions { executable: Some(named), headed: true, ..LaunchOptions::default() };
        let error = launch_as(options, false).await.err().unwrap();
        assert!(error.to_string().contains("has no windows"), "{error}");
    }
}
