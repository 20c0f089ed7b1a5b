//! The process of a background session: opens the session, serves commands, and ends with it.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use actions_bridge::listen::{Gate, Listening, Token};
use actions_bridge::{Bridge, People};
use actions_engine::{CallError, CancellationToken};
use actions_protocol::{ErrorCode, Exit, Millis};
use actions_runtime::{Runtime, RuntimeEvent, RuntimeOptions};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, PidfdFlags, pidfd_open, setsid};
use serde::{Deserialize, Serialize};
use tokio::net::UnixListener;

use super::options::SessionOptions;
use super::place::Place;
use super::serve::serve;
use crate::held::Held;
use crate::interrupt;
use crate::live_session::block_on;
use crate::profile_folder::ProfileFolder;

/// The first and only line that the process prints.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Started {
    /// The session serves commands.
    Ready {
        info: actions_runtime::SessionInfo,
        /// The address of the page for people, with its token.
        page: Option<String>,
    },
    /// It did not start.
    Failed(Box<CallError>),
}

/// How long the session may take to end by itself after a signal.
const ENDING: Duration = Duration::from_secs(10);

/// How long reading the storage of a session may take.
const READING_STATE: Duration = Duration::from_secs(5);

/// How often a profile is written while its session is used, at most.
const KEEPING: Duration = Duration::from_secs(30);

/// A session with a profile is ended here and not by its runtime, so that its profile is written first.
const NEVER: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// Holds a session until it ends.
pub(crate) fn hold(options: &SessionOptions) -> Exit {
    // A session of its own, so that signals of the terminal do not reach it. It fails only for a group leader, which has no
    // terminal to lose.
    let _ = setsid();
    let held = block_on(async {
        let started = run(options).await;
        if let Err(error) = &started {
            announce(&Started::Failed(Box::new(error.clone())));
        }
        started
    });
    held.map_or_else(|error| error.exit(), |()| Exit::Done)
}

async fn run(options: &SessionOptions) -> Result<(), CallError> {
    let place = Place::of(&options.name)?;
    // Kept until everything has ended; dropping it removes the files.
    let taken = place.take()?;
    let profile = options.profile.as_deref().map(ProfileFolder::take).transpose()?;
    let kept_state = profile.as_ref().map(ProfileFolder::state).transpose()?.flatten();
    let cancel = CancellationToken::new();
    let _listening = interrupt::listen(cancel.clone());
    let idle = if profile.is_some() { NEVER } else { options.idle };
    let runtime_options = RuntimeOptions::default().idle(idle).most_sessions(1);
    let runtime = Runtime::new(options.hosting.launcher(&cancel), runtime_options);
    let mut events = runtime.events();
    let opening = options.hosting.open(&runtime, &options.name, kept_state);
    let session = tokio::select! {
        biased;
        () = cancel.cancelled() => Err(CallError::new(ErrorCode::Cancelled, "the session was ended while it started")),
        session = opening => session,
    };
    let session = match session {
        Ok(session) => Arc::new(session),
        Err(error) => {
            runtime.close().await;
            return Err(error);
        }
    };
    let listening = UnixListener::bind(place.socket()).and_then(|listener| {
        std::fs::set_permissions(place.socket(), std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
        Ok(listener)
    });
    let listener = match listening {
        Ok(listener) => listener,
        Err(error) => {
            runtime.close().await;
            let message = format!("the session cannot listen at {}: {error}", place.socket().display());
            return Err(CallError::new(ErrorCode::TransportFailed, message));
        }
    };
    let (ending, listening) = match options.ui {
        false => (Ending::Runtime(runtime), None),
        true => match page_for_people().await {
            Ok(listening) => (Ending::Bridge(Bridge::new(runtime).await), Some(listening)),
            Err(error) => {
                runtime.close().await;
                return Err(error);
            }
        },
    };
    let shown = match &ending {
        Ending::Bridge(bridge) => Some(bridge.clone()),
        Ending::Runtime(_) => None,
    };
    let page = listening.as_ref().map(|(_, address)| address.clone());
    announce(&Started::Ready { info: session.session.info().await, page });
    let stop = CancellationToken::new();
    // A profile is written before the pages close, so a session with one ends by itself when it is idle.
    let idle_end = async {
        if profile.is_some() {
            return keep_until_idle(&session, options.idle, profile.as_ref()).await;
        }
        loop {
            match events.recv().await {
                Ok(RuntimeEvent::SessionEnded { .. })
                | Err(tokio::sync::broadcast::error::RecvError::Closed) => return,
                Ok(_) | Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => {}
            }
        }
    };
    let until_end = async {
        tokio::select! {
            () = stop.cancelled() => {}
            () = cancel.cancelled() => {}
            () = idle_end => {}
            () = end_of_parent(options) => {}
        }
        stop.cancel();
        if let Some(profile) = &profile {
            keep_state(&session, profile).await;
        }
    };
    let showing = async {
        if let (Some((listening, _)), Some(bridge)) = (listening, shown) {
            listening.serve(&bridge, &stop).await;
        }
    };
    let end = async {
        tokio::join!(showing, until_end);
        // Calls that run end as cancelled, and their commands still hear of it. The page has let go of the bridge by now.
        match ending {
            Ending::Runtime(runtime) => runtime.close().await,
            Ending::Bridge(bridge) => bridge.end().await,
        }
    };
    let ended = async { tokio::join!(serve(listener, &session, &stop), end) };
    let late = async {
        stop.cancelled().await;
        tokio::time::sleep(ENDING).await;
    };
    tokio::select! {
        _ = ended => {}
        () = late => tracing::warn!("the session did not end within {ENDING:?}"),
    }
    // The next session may take the profile as soon as this one is gone.
    drop(profile);
    drop(taken);
    Ok(())
}

/// What ends with the session.
enum Ending {
    Runtime(Runtime),
    /// The runtime with its page for people.
    Bridge(Bridge),
}

/// Listens for the page for people. Returns its address with a new token.
async fn page_for_people() -> Result<(Listening, String), CallError> {
    let failed = |error: &dyn std::fmt::Display| {
        CallError::new(ErrorCode::TransportFailed, format!("the page for people cannot be served: {error}"))
    };
    let token = Token::random().map_err(|error| failed(&error))?;
    let text = token.as_str().to_owned();
    let here = std::net::SocketAddr::from((std::net::Ipv4Addr::LOCALHOST, 0));
    let listening = Listening::at(here, Gate::new(token)).await.map_err(|error| failed(&error))?;
    let listening = listening.with_page(People::default());
    let address = format!("{}#token={text}", listening.page_url());
    Ok((listening, address))
}

/// Keeps the profile of a session now and then, and returns when the session has been idle for too long.
async fn keep_until_idle(session: &Held, idle: Duration, profile: Option<&ProfileFolder>) {
    let pause = (idle / 4).clamp(Duration::from_millis(20), KEEPING);
    let mut kept_at = session.session.last_used();
    loop {
        tokio::time::sleep(pause).await;
        if session.session.idle() >= idle {
            return;
        }
        let used = session.session.last_used();
        if let Some(profile) = profile.filter(|_| used != kept_at) {
            kept_at = used;
            keep_state(session, profile).await;
        }
    }
}

/// Writes cookies and storage of a session to its profile. What was written before stays if that fails.
async fn keep_state(session: &Held, profile: &ProfileFolder) {
    let reading = async {
        let view = session.session.views().into_iter().next();
        match view {
            Some(view) => view.storage_state(Some(Millis::from(READING_STATE))).await.map(Some),
            None => Ok(None),
        }
    };
    let kept = reading.await.and_then(|state| state.map_or(Ok(()), |state| profile.keep(&state)));
    if let Err(error) = kept {
        tracing::warn!("the profile was not written: {error}");
    }
}

/// Prints the line that `session start` waits for, and lets go of its terminal. What is printed later goes to the log of
/// the session.
fn announce(started: &Started) {
    let line = serde_json::to_string(started).expect("plain data serialises");
    let mut stdout = std::io::stdout().lock();
    // The command that started the session may be gone; then the session ends by being idle.
    let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
    drop(stdout);
    let name = match started {
        Started::Ready { info, .. } => info.name.clone(),
        Started::Failed(_) => return,
    };
    let Ok(place) = Place::of(&name) else { return };
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let log = rustix::fs::open(place.log(), flags, Mode::RUSR | Mode::WUSR);
    if let Ok(log) = log {
        let _ = rustix::stdio::dup2_stdout(&log);
        let _ = rustix::stdio::dup2_stderr(&log);
    }
}

/// Completes when the parent process ends, if the session ends with it.
async fn end_of_parent(options: &SessionOptions) {
    let parent = options.parent.filter(|_| options.with_parent).and_then(Pid::from_raw);
    let Some(parent) = parent else { return std::future::pending().await };
    // A process that is gone already has no descriptor.
    let Ok(descriptor) = pidfd_open(parent, PidfdFlags::empty()) else { return };
    let (ended, end) = tokio::sync::oneshot::channel();
    // A thread of its own that nothing waits for: it ends with the parent or with this process.
    std::thread::spawn(move || {
        let mut descriptors = [PollFd::new(&descriptor, PollFlags::IN)];
        while poll(&mut descriptors, None) == Err(rustix::io::Errno::INTR) {}
        let _ = ended.send(());
    });
    let _ = end.await;
}
