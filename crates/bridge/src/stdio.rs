//! One client on standard input and output: one item per line.

use std::io;

use actions_engine::CancellationToken;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};

use crate::bridge::Bridge;
use crate::connection::Connection;
use crate::limits;

/// Serves one client until its input ends and its calls are answered, or until `stop` is cancelled.
pub async fn serve(
    bridge: &Bridge,
    input: impl tokio::io::AsyncRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
    stop: &CancellationToken,
) -> io::Result<()> {
    let connection = bridge.connect(None);
    let reading = async {
        read(&connection, BufReader::new(input)).await?;
        connection.settled().await;
        Ok(())
    };
    let writing = async {
        while let Ok(text) = connection.next().await {
            output.write_all(text.as_bytes()).await?;
            output.write_all(b"\n").await?;
            output.flush().await?;
            connection.written();
        }
        Ok(())
    };
    let stopped = async {
        stop.cancelled().await;
        // Answers that are due are still written.
        bridge.close().await;
    };
    tokio::select! {
        biased;
        written = writing => written,
        read = reading => read,
        () = stopped => Ok(()),
    }
}

/// Takes every line. One that is too long is refused, and the rest of it is skipped.
async fn read(connection: &Connection, mut input: impl AsyncBufRead + Unpin) -> io::Result<()> {
    let longest = limits::ITEM.0 as u64 + 1;
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut input).take(longest).read_until(b'\n', &mut line).await? == 0 {
            return Ok(());
        }
        if line.last() != Some(&b'\n') && line.len() as u64 == longest {
            connection.refuse_large();
            if !skip(&mut input).await? {
                return Ok(());
            }
            continue;
        }
        let text = String::from_utf8_lossy(&line);
        if !text.trim().is_empty() {
            connection.receive(text.trim());
        }
    }
}

/// Skips the rest of a line. Returns whether there was an end of it.
async fn skip(input: &mut (impl AsyncBufRead + Unpin)) -> io::Result<bool> {
    loop {
        let part = input.fill_buf().await?;
        let (length, end) = (part.len(), part.iter().position(|byte| *byte == b'\n'));
        input.consume(end.map_or(length, |end| end + 1));
        match (length, end) {
            (0, _) => return Ok(false),
            (_, Some(_)) => return Ok(true),
            _ => {}
        }
    }
}
