//! The side of a command: connects to a background session, sends a request and waits for the answer.

use std::io::{self, ErrorKind};
use std::time::Duration;

use actions_engine::browser::StorageState;
use actions_engine::{CallError, CancellationToken, RunEvent};
use actions_protocol::ErrorCode;
use actions_runtime::SessionInfo;
use serde_json::Value;
use tokio::io::BufReader;
use tokio::net::UnixStream;
use tokio::net::unix::OwnedWriteHalf;

use super::frame::{read, write};
use super::message::{
    Hello, Listed, PrimitiveReply, PrimitiveRequest, Reply, Request, RunReply, RunRequest, StateReply,
    StateRequest, VERSION,
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
    /// cancelled.
    async fn ask(
        mut self,
        request: &Request,
        events: &(dyn Fn(&RunEvent) + Sync),
        cancel: &CancellationToken,
    ) -> Result<Reply, CallError> {
        let lost = |error: &io::Error| lost(&self.name, &error.to_string());
        write(&mut self.writer, request).await.map_err(|error| lost(&error))?;
        let mut cancelled = false;
        loop {
            let reply = tokio::select! {
                biased;
                reply = read::<Reply>(&mut self.reader) => reply,
                () = cancel.cancelled(), if !cancelled => {
                    cancelled = true;
                    // The session takes the end of our half as the wish to cancel.
                    let _ = tokio::io::AsyncWriteExt::shutdown(&mut self.writer).await;
                    continue;
                }
                () = tokio::time::sleep(CANCELLING), if cancelled => {
                    let message = format!("the session `{}` did not end the cancelled request", self.name);
                    return Err(CallError::new(ErrorCode::Cancelled, message));
                }
            };
            match reply {
                Ok(Some(Reply::Event(event))) => events(&event),
                Ok(Some(Reply::Note(line))) => note(line),
                Ok(Some(Reply::Failed(error))) => return Err(*error),
                Ok(Some(answer)) => return Ok(answer),
                Ok(None) => return Err(lost(&ErrorKind::UnexpectedEof.into())),
                Err(error) => return Err(lost(&error)),
            }
        }
    }
}

/// Sends a request to a session by its name. Ctrl-C cancels it.
async fn ask(
    session: &str,
    request: &Request,
    events: &(dyn Fn(&RunEvent) + Sync),
) -> Result<Reply, CallError> {
    let cancel = CancellationToken::new();
    let _listening = interrupt::listen(cancel.clone());
    Connection::open(&Place::of(session)?).await?.ask(request, events, &cancel).await
}

/// Runs a tool in a session.
pub(crate) fn run(
    session: &str,
    request: RunRequest,
    events: &(dyn Fn(&RunEvent) + Sync),
) -> Result<RunReply, CallError> {
    match block_on(ask(session, &Request::Run(request), events))? {
        Reply::Run(reply) => Ok(*reply),
        _ => Err(confused(session)),
    }
}

/// Reads the state of a page of a session.
pub(crate) fn state(session: &str, request: StateRequest) -> Result<StateReply, CallError> {
    match block_on(ask(session, &Request::State(request), &|_| {}))? {
        Reply::State(reply) => Ok(*reply),
        _ => Err(confused(session)),
    }
}

/// Lists what the maps of a session declare for a page.
pub(crate) fn list(session: &str, page: Option<String>) -> Result<Value, CallError> {
    match block_on(ask(session, &Request::List(Listed { page }), &|_| {}))? {
        Reply::List(listed) => Ok(listed),
        _ => Err(confused(session)),
    }
}

/// Performs one primitive in a session.
pub(crate) fn primitive(session: &str, request: PrimitiveRequest) -> Result<PrimitiveReply, CallError> {
    match block_on(ask(session, &Request::Primitive(request), &|_| {}))? {
        Reply::Primitive(reply) => Ok(*reply),
        _ => Err(confused(session)),
    }
}

/// Reads the cookies and the storage of a session.
pub(crate) fn identity(session: &str) -> Result<StorageState, CallError> {
    match block_on(ask(session, &Request::Identity, &|_| {}))? {
        Reply::Identity(state) => Ok(*state),
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
    match quick(place, connection, &Request::Stop, ENDING).await? {
        Reply::Stopped => {}
        _ => return Err(confused(&place.name)),
    }
    let gone = async {
        while place.occupant().is_some() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let waited = tokio::time::timeout(ENDING, gone).await;
    waited.map_err(|_| unreachable(&place.name, 0, "its process did not end"))
}

async fn quick(
    place: &Place,
    connection: Connection,
    request: &Request,
    limit: Duration,
) -> Result<Reply, CallError> {
    let pid = connection.pid;
    let cancel = CancellationToken::new();
    let asking = connection.ask(request, &|_| {}, &cancel);
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

fn lost(name: &str, why: &str) -> CallError {
    let message = format!("the session `{name}` ended or broke off while it worked on the request: {why}");
    CallError::new(ErrorCode::BrowserLost, message).with_evidence(
        "hint",
        "what the request had done by then is not known; start the session again and look",
    )
}

fn confused(name: &str) -> CallError {
    CallError::new(
        ErrorCode::TransportFailed,
        format!("the session `{name}` gave an answer to another question"),
    )
}
