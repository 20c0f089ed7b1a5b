//! Lines of JSON on a socket, each of a bounded length.

use std::io::{self, ErrorKind};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// The longest line in bytes. Arguments and states are far shorter.
const LONGEST: u64 = 64 << 20;

/// Writes a message as one line.
pub(super) async fn write(to: &mut (impl AsyncWrite + Unpin), message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    to.write_all(&line).await?;
    to.flush().await
}

/// Reads the next message; `None` at the end of the stream.
pub(super) async fn read<T: DeserializeOwned>(
    from: &mut (impl AsyncBufRead + Unpin),
) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    let mut bounded = from.take(LONGEST);
    bounded.read_until(b'\n', &mut line).await?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') {
        let what =
            if line.len() as u64 == LONGEST { "the line is too long" } else { "the line is incomplete" };
        return Err(io::Error::new(ErrorKind::InvalidData, what));
    }
    serde_json::from_slice(&line).map(Some).map_err(io::Error::from)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[tokio::test]
    async fn messages_are_lines_and_a_broken_line_is_an_error() {
        let mut written = Vec::new();
        write(&mut written, &json!({ "a": "two\nlines" })).await.unwrap();
        assert_eq!(written.iter().filter(|byte| **byte == b'\n').count(), 1);
        let mut stream = written.as_slice();
        assert_eq!(read::<Value>(&mut stream).await.unwrap(), Some(json!({ "a": "two\nlines" })));
        assert_eq!(read::<Value>(&mut stream).await.unwrap(), None);
        for broken in [&b"{\"a\":1"[..], b"nonsense\n", b"\n"] {
            read::<Value>(&mut { broken }).await.unwrap_err();
        }
    }
}
