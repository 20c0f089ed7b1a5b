//! The side of a command: connects to a background session, sends a request and waits for the answer.

use std::io::{self, ErrorKind};
use std::time::Duration;

use actions_engine::browser::StorageState;
use actions_engine::{CallError, CancellationToken, RunEvent};
use actions_protocol::{ErrorCode, Millis};
use actions_runtime::SessionInfo;
use serde_json::Value;
use tokio::io::BufReader;
use tokio::net::UnixStream;
use tokio::net::unix::OwnedWriteHalf;
use tokio::time::Instant;

use super::frame::{read, write};
use super::message::{
    Hello, Listed, PrimitiveReply, PrimitiveRequest, RecordRequest, Reply, Request, RunReply, RunRequest,
    StateReply, StateRequest, VERSION,
};
use super::place::Place;
use crate::interrupt;
use crate::live_session::block_on;
use crate::output::note;

/// How long a session may take to accept a connection and to answer a request that does not touch a page.
const ANSWERING: Duration = Duration::from_secs(5);

/// How long ending a session may take.
const ENDING: Duration = Duration::from_secs(20);

/// How long a cancelled request may take to end.
const CANCELLING: Duration = Duration::from_secs(10);

/// A session that has said nothing for this long is stopped or stuck: it says every [`BEAT`](super::message::BEAT) that it still works.
const SILENCE: Duration = Duration::from_secs(10);

/// The same after the time of the call is over.
const SILENCE_AT_THE_END: Duration = Duration::from_secs(2);

/// How long after the time of a call its answer may arrive.
const MOMENT: Duration = Duration::from_millis(500);

/// A connection to a session that has not been asked anything.
struct Connection {
    name: String,
    reader: BufReader<tokio::net::unix::OwnedReadHalf>,
    writer: OwnedWriteHalf,
    pid: u32,
}

impl Connection {
    /// Connects to a session.
    async fn open(place: &Place) -> Result<Self, CallError> {
        let name = place.name.clone();
        let Some(occupant) = place.occupant() else { return Err(missing(&name)) };
        let connecting = async {
            let stream = UnixStream::connect(place.socket()).await?;
            // Another user may have put a socket at this place.
            if stream.peer_cred()?.uid() != rustix::process::geteuid().as_raw() {
                return Err(io::Error::new(ErrorKind::PermissionDenied, "it belongs to another user"));
            }
            let (reader, writer) = stream.into_split();
            let mut reader = BufReader::new(reader);
            let hello: Option<Hello> = read(&mut reader).await?;
            let hello = hello.ok_or_else(|| io::Error::from(ErrorKind::UnexpectedEof))?;
            Ok((reader, writer, hello))
        };
        let connected = tokio::time::timeout(ANSWERING, connecting).await;
        let (reader, writer, hello) = match connected {
            Ok(Ok(connected)) => connected,
            Ok(Err(error)) => return Err(unreachable(&name, occupant.pid, &error.to_string())),
            Err(_) => return Err(unreachable(&name, occupant.pid, "it does not answer")),
        };
        if hello.actions_session != VERSION {
            let message = format!(
                "the session `{name}` was started by actions {}, which this version ({}) cannot talk to",
                hello.version,
                env!("CARGO_PKG_VERSION")
            );
            let hint = format!("end it with `kill {}`, and start it again", hello.pid);
            return Err(CallError::new(ErrorCode::TransportFailed, message).with_evidence("hint", hint));
        }
        Ok(Self { name, reader, writer, pid: hello.pid })
    }

    /// Sends a request and returns the answer. Passes events on, prints notes, and cancels the request when the token is
    /// cancelled. `limit` is the time of the call that is asked for.
    async fn ask(
        mut self,
        request: &Request,
        limit: Option<Millis>,
        events: &(dyn Fn(&RunEvent) + Sync),
        cancel: &CancellationToken,
    ) -> Result<Reply, CallError> {
        let sending = tokio::time::timeout(ANSWERING, write(&mut self.writer, request)).await;
        let sent = sending.unwrap_or_else(|_| Err(ErrorKind::TimedOut.into()));
        sent.map_err(|error| self.lost(&error))?;
        let asked = Instant::now();
        let over = limit.map(|limit| asked + Duration::from_millis(limit.0) + MOMENT);
        let mut heard = asked;
        let mut cancelled: Option<Instant> = None;
        loop {
            let stuck = heard + SILENCE;
            let stuck = over.map_or(stuck, |over| stuck.min(over.max(heard + SILENCE_AT_THE_END)));
            let given_up = cancelled.map(|at| at + CANCELLING);
            let reply = tokio::select! {
                biased;
                reply = read::<Reply>(&mut self.reader) => reply,
                () = cancel.cancelled(), if cancelled.is_none() => {
                    cancelled = Some(Instant::now());
                    // The session takes the end of our half as the wish to cancel.
                    let _ = tokio::io::AsyncWriteExt::shutdown(&mut self.writer).await;
                    continue;
                }
                () = tokio::time::sleep_until(given_up.unwrap_or(stuck)), if given_up.is_some() => {
                    let message = format!("the session `{}` did not end the cancelled request", self.name);
                    return Err(CallError::new(ErrorCode::Cancelled, message));
                }
                () = tokio::time::sleep_until(stuck) => return Err(self.stuck(heard.elapsed())),
            };
            heard = Instant::now();
            match reply {
                Ok(Some(Reply::Working)) => {}
                Ok(Some(Reply::Event(event))) => events(&event),
                Ok(Some(Reply::Note(line))) => note(line),
                Ok(Some(Reply::Failed(error))) => return Err(*error),
                Ok(Some(answer)) => return Ok(answer),
                Ok(None) => return Err(self.lost(&ErrorKind::UnexpectedEof.into())),
                Err(error) => return Err(self.lost(&error)),
            }
        }
    }

    /// The error of a session that ended while it worked.
    fn lost(&self, error: &io::Error) -> CallError {
        let message =
            format!("the session `{}` ended or broke off while it worked on the request: {error}", self.name);
        let mut error = CallError::new(ErrorCode::BrowserLost, message).with_evidence(
            "hint",
            "what the request had done by then is not known; start the session again and look",
        );
        error.mutated = true;
        error
    }

    /// The error of a session whose process runs no more, or is stopped.
    fn stuck(&self, silence: Duration) -> CallError {
        let message =
            format!("the session `{}` has said nothing for {} s", self.name, silence.as_secs().max(1));
        let hint = format!(
            "its process {0} may be stopped: let it go on with `kill -CONT {0}`, or end it with `kill -KILL {0}`; what the \
             request has done is not known",
            self.pid
        );
        let mut error = CallError::new(ErrorCode::TransportFailed, message).with_evidence("hint", hint);
        error.mutated = true;
        error
    }
}

/// Sends a request to a session by its name. Ctrl-C cancels it.
async fn ask(
    session: &str,
    request: &Request,
    limit: Option<Millis>,
    events: &(dyn Fn(&RunEvent) + Sync),
) -> Result<Reply, CallError> {
    let cancel = CancellationToken::new();
    let _listening = interrupt::listen(cancel.clone());
    Connection::open(&Place::of(session)?).await?.ask(request, limit, events, &cancel).await
}

/// Runs a tool in a session.
pub(crate) fn run(
    session: &str,
    request: RunRequest,
    events: &(dyn Fn(&RunEvent) + Sync),
) -> Result<RunReply, CallError> {
    let limit = request.timeout;
    match block_on(ask(session, &Request::Run(Box::new(request)), limit, events))? {
        Reply::Run(reply) => Ok(*reply),
        _ => Err(confused(session)),
    }
}

/// Reads the state of a page of a session.
pub(crate) fn state(session: &str, request: StateRequest) -> Result<StateReply, CallError> {
    let limit = request.timeout;
    match block_on(ask(session, &Request::State(request), limit, &|_| {}))? {
        Reply::State(reply) => Ok(*reply),
        _ => Err(confused(session)),
    }
}

/// Lists what the maps of a session declare for a page.
pub(crate) fn list(session: &str, page: Option<String>) -> Result<Value, CallError> {
    match block_on(ask(session, &Request::List(Listed { page }), None, &|_| {}))? {
        Reply::List(listed) => Ok(listed),
        _ => Err(confused(session)),
    }
}

/// Performs one primitive in a session.
pub(crate) fn primitive(session: &str, request: PrimitiveRequest) -> Result<PrimitiveReply, CallError> {
    let limit = request.timeout;
    match block_on(ask(session, &Request::Primitive(request), limit, &|_| {}))? {
        Reply::Primitive(reply) => Ok(*reply),
        _ => Err(confused(session)),
    }
}

/// Reads the cookies and the storage of a session.
pub(crate) fn identity(session: &str) -> Result<StorageState, CallError> {
    match block_on(ask(session, &Request::Identity, None, &|_| {}))? {
        Reply::Identity(state) => Ok(*state),
        _ => Err(confused(session)),
    }
}

/// Loads a page of a session again and records it.
pub(crate) fn record(session: &str, request: RecordRequest) -> Result<(), CallError> {
    let limit = request.timeout;
    match block_on(ask(session, &Request::Record(request), limit, &|_| {}))? {
        Reply::Recorded => Ok(()),
        _ => Err(confused(session)),
    }
}

/// Describes a session.
pub(crate) async fn info(place: &Place) -> Result<(u32, SessionInfo), CallError> {
    let connection = Connection::open(place).await?;
    let pid = connection.pid;
    match quick(place, connection, &Request::Info, ANSWERING).await? {
        Reply::Info(info) => Ok((pid, info)),
        _ => Err(confused(&place.name)),
    }
}

/// Ends a session, and returns when its process has let go of it.
pub(crate) async fn stop(place: &Place) -> Result<(), CallError> {
    let connection = Connection::open(place).await?;
    let pid = connection.pid;
    match quick(place, connection, &Request::Stop, ENDING).await? {
        Reply::Stopped => {}
        _ => return Err(confused(&place.name)),
    }
    let (freed, free) = tokio::sync::oneshot::channel();
    let waited_for = place.clone();
    // A thread of its own that nothing joins: it ends when the lock is free, or with this process.
    std::thread::spawn(move || {
        waited_for.wait_until_free();
        let _ = freed.send(());
    });
    match tokio::time::timeout(ENDING, free).await {
        Ok(_) => Ok(()),
        Err(_) => Err(unreachable(&place.name, pid, "its process did not end")),
    }
}

async fn quick(
    place: &Place,
    connection: Connection,
    request: &Request,
    limit: Duration,
) -> Result<Reply, CallError> {
    let pid = connection.pid;
    let cancel = CancellationToken::new();
    let asking = connection.ask(request, None, &|_| {}, &cancel);
    let answered = tokio::time::timeout(limit, asking).await;
    answered.unwrap_or_else(|_| Err(unreachable(&place.name, pid, "it does not answer")))
}

fn missing(name: &str) -> CallError {
    let known = super::place::all().unwrap_or_default();
    let known: Vec<String> = known.into_iter().map(|place| place.name).collect();
    let hint = match known.as_slice() {
        [] => format!("start it with `actions session start {name} PATH`"),
        known => format!(
            "the sessions: {}; start this one with `actions session start {name} PATH`",
            known.join(", ")
        ),
    };
    CallError::new(ErrorCode::RuntimeNotFound, format!("there is no session `{name}`"))
        .with_evidence("sessions", known)
        .with_evidence("hint", hint)
}

fn unreachable(name: &str, pid: u32, why: &str) -> CallError {
    let message = format!("the session `{name}` cannot be reached: {why}");
    let hint = match pid {
        0 => "look for its process and end it".to_owned(),
        pid => format!("its process is {pid}; end it with `kill {pid}`, then start the session again"),
    };
    CallError::new(ErrorCode::TransportFailed, message).with_evidence("hint", hint)
}

fn confused(name: &str) -> CallError {
    CallError::new(
        ErrorCode::TransportFailed,
        format!("the session `{name}` gave an answer to another question"),
    )
}
