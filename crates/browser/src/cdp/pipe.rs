//! The transport of a browser we launched: two pipes, messages that end with NUL.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::pipe;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::{Connection, LONGEST_MESSAGE};
use crate::{Clock, Error};

/// Our ends of the two pipes.
#[derive(Debug)]
pub(crate) struct PipeEnds {
    /// Commands are written here.
    pub(crate) commands: OwnedFd,
    /// Answers and events are read here.
    pub(crate) answers: OwnedFd,
}

impl Connection {
    /// Opens a connection over pipes. The tasks end when the connection is lost.
    pub(crate) fn over_pipes(
        clock: Arc<dyn Clock>,
        ends: PipeEnds,
    ) -> io::Result<(Self, Vec<JoinHandle<()>>)> {
        let commands = pipe::Sender::from_owned_fd(ends.commands)?;
        let answers = pipe::Receiver::from_owned_fd(ends.answers)?;
        let (connection, outgoing) = Connection::new(clock);
        let writer = tokio::spawn(write(connection.clone(), commands, outgoing));
        let reader = tokio::spawn(read(connection.clone(), answers));
        Ok((connection, vec![writer, reader]))
    }
}

async fn write(
    connection: Connection,
    mut pipe: pipe::Sender,
    mut outgoing: mpsc::UnboundedReceiver<Vec<u8>>,
) {
    let mut lost = connection.lost();
    let writing = async {
        let mut batch = Vec::new();
        while let Some(message) = outgoing.recv().await {
            batch.extend_from_slice(&message);
            batch.push(0);
            while let Ok(message) = outgoing.try_recv() {
                batch.extend_from_slice(&message);
                batch.push(0);
            }
            pipe.write_all(&batch).await?;
            batch.clear();
        }
        io::Result::Ok(())
    };
    tokio::select! {
        written = writing => {
            if let Err(error) = written {
                connection.lose(&format!("writing to the browser failed: {error}"));
            }
        }
        _ = lost.wait_for(Option::is_some) => {}
    }
}

async fn read(connection: Connection, pipe: pipe::Receiver) {
    let mut lost = connection.lost();
    tokio::select! {
        reason = read_messages(&connection, pipe) => connection.lose(&reason),
        _ = lost.wait_for(Option::is_some) => {}
    }
}

/// Reads until the pipe ends and tells why it did.
async fn read_messages(connection: &Connection, mut pipe: pipe::Receiver) -> String {
    let mut buffer: Vec<u8> = Vec::with_capacity(64 << 10);
    let mut skipping: Option<u64> = None;
    loop {
        let searched = buffer.len();
        match pipe.read_buf(&mut buffer).await {
            Ok(0) => return "the browser closed the connection".to_owned(),
            Ok(_) => {}
            Err(error) => return format!("reading from the browser failed: {error}"),
        }
        let mut start = 0;
        let mut from = searched;
        while let Some(end) = buffer[from..].iter().position(|byte| *byte == 0).map(|at| from + at) {
            match skipping.take() {
                Some(id) => connection.answer(id, Err(Error::AnswerTooLarge { limit: LONGEST_MESSAGE })),
                None => connection.receive(&buffer[start..end]),
            }
            start = end + 1;
            from = start;
        }
        buffer.drain(..start);
        if skipping.is_some() || buffer.len() > LONGEST_MESSAGE {
            skipping.get_or_insert_with(|| id_of(&buffer));
            buffer.clear();
            buffer.shrink_to(64 << 10);
        }
        if buffer.is_empty() && buffer.capacity() > 8 << 20 {
            buffer = Vec::with_capacity(64 << 10);
        }
    }
}

/// The id at the head of an answer; 0, which no call has, for an event.
fn id_of(message: &[u8]) -> u64 {
    let digits = message.strip_prefix(br#"{"id":"#).unwrap_or_default();
    digits
        .iter()
        .map_while(|byte| char::from(*byte).to_digit(10))
        .take(18)
        .fold(0, |id, digit| id * 10 + u64::from(digit))
}

#[cfg(test)]
mod tests {
    use super::id_of;

    #[test]
    fn the_id_of_an_answer_is_read_from_its_head() {
        assert_eq!(id_of(br#"{"id":4711,"result":{"#), 4711);
        assert_eq!(id_of(br#"{"method":"Page.x","#), 0);
        assert_eq!(id_of(b""), 0);
    }
}
