//! Serves the commands that connect to a background session.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use actions_engine::CancellationToken;
use tokio::io::{AsyncReadExt, BufReader};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;

use super::frame::{read, write};
use super::message::{BEAT, Hello, Reply, Request, VERSION};
use super::work;
use crate::held::Held;

/// How many commands may be connected at once. Others wait.
const MOST_CONNECTIONS: usize = 64;

/// How long a command may take to send its request.
const ASKING: Duration = Duration::from_secs(10);

/// How long a command may take to read a part of an answer.
const READING: Duration = Duration::from_secs(30);

/// How many events may wait for a slow command. Further events are dropped; the answer is not.
const EVENTS_WAITING: usize = 1_024;

/// How long to wait before accepting again after an error, such as too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// Accepts commands until `stop` is cancelled, which a command may do, and returns when all requests have been answered.
pub(super) async fn serve(listener: UnixListener, session: &Arc<Held>, stop: &CancellationToken) {
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        let accepting = async {
            let permit = Arc::clone(&room).acquire_owned().await.map_err(io::Error::other)?;
            listener.accept().await.map(|(stream, _)| (stream, permit))
        };
        let accepted = tokio::select! {
            biased;
            () = stop.cancelled() => break,
            accepted = accepting => accepted,
        };
        let (stream, permit) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!("cannot accept a command: {error}");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        let (session, stop) = (Arc::clone(session), stop.clone());
        connections.spawn(async move {
            if let Err(error) = Box::pin(connection(stream, &session, &stop)).await {
                tracing::debug!("a command broke off: {error}");
            }
            drop(permit);
        });
    }
    while connections.join_next().await.is_some() {}
}

async fn connection(stream: UnixStream, session: &Held, stop: &CancellationToken) -> io::Result<()> {
    let user = stream.peer_cred()?.uid();
    if user != rustix::process::geteuid().as_raw() {
        tracing::warn!("refused a command of user {user}");
        return Ok(());
    }
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    let hello = Hello {
        actions_session: VERSION,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        pid: std::process::id(),
    };
    write(&mut writer, &hello).await?;
    let request = tokio::select! {
        biased;
        request = tokio::time::timeout(ASKING, read::<Request>(&mut reader)) => request??,
        () = stop.cancelled() => None,
    };
    let Some(request) = request else { return Ok(()) };
    let cancel = CancellationToken::new();
    let (say, replies) = mpsc::channel(EVENTS_WAITING);
    let is_stop = matches!(request, Request::Stop);
    let answering = async {
        let answer = work::answer(session, request, &say, &cancel).await;
        // There is always room for the answer in the end, because the writer keeps reading.
        let _ = say.send(answer).await;
        drop(say);
    };
    let (written, ()) = tokio::join!(send(replies, &mut writer, &cancel), async {
        tokio::select! {
            () = answering => {}
            () = end_of(reader, &cancel) => {}
        }
    });
    if is_stop {
        stop.cancel();
    }
    written
}

/// Sends what there is to say, and again and again that the session works. Cancels the request if the command does not read.
async fn send(
    mut replies: mpsc::Receiver<Reply>,
    writer: &mut OwnedWriteHalf,
    cancel: &CancellationToken,
) -> io::Result<()> {
    let mut beat = tokio::time::interval_at(tokio::time::Instant::now() + BEAT, BEAT);
    beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        let reply = tokio::select! {
            biased;
            reply = replies.recv() => reply,
            _ = beat.tick() => Some(Reply::Working),
        };
        let Some(reply) = reply else { break };
        let sent = tokio::time::timeout(READING, write(writer, &reply)).await;
        let sent = sent.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
        if let Err(error) = sent {
            cancel.cancel();
            // The request ends by itself; what it still says is dropped.
            while replies.recv().await.is_some() {}
            return Err(error);
        }
    }
    Ok(())
}

/// Cancels the request when the command closes its half of the connection, and never completes.
async fn end_of(mut reader: BufReader<OwnedReadHalf>, cancel: &CancellationToken) {
    let mut rest = [0; 64];
    // A command sends nothing after its request; whatever comes is ignored.
    while reader.read(&mut rest).await.is_ok_and(|count| count > 0) {}
    cancel.cancel();
    std::future::pending().await
}
