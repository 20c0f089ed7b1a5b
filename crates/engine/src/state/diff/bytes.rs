//! How large something is as compact JSON, without writing it down.

use std::io;

use serde::Serialize;

/// The bytes of a value as compact JSON.
pub(crate) fn bytes(value: &impl Serialize) -> usize {
    let mut counter = Counter { counted: 0, limit: usize::MAX };
    // Nothing ends the count before the end.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.counted
}

/// Whether a value has fewer bytes than a limit; stops counting as soon as that is settled.
pub(super) fn is_below(value: &impl Serialize, limit: usize) -> bool {
    let mut counter = Counter { counted: 0, limit };
    serde_json::to_writer(&mut counter, value).is_ok() && counter.counted < limit
}

struct Counter {
    counted: usize,
    limit: usize,
}

impl io::Write for Counter {
    fn write(&mut self, written: &[u8]) -> io::Result<usize> {
        self.counted += written.len();
        if self.counted > self.limit {
            return Err(io::Error::other("the limit is reached"));
        }
        Ok(written.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
