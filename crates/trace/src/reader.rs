//! Reads the folder of a trace back into typed data.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::value::MapDeserializer;
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde_json::{Map, Value};

use crate::folder::{ABOUT, EVENTS, PICTURES, PLAN};
use crate::version::{FORMAT, Header, Version};
use crate::{About, EventKind, RunEvent};

/// The most a file of a trace may have, in bytes.
const MAX_FILE_BYTES: u64 = 256 * 1024 * 1024;
/// The most one line of `events.ndjson` may have, in bytes.
const MAX_LINE_BYTES: u64 = 16 * 1024 * 1024;
/// The most events a trace may have.
const MAX_EVENTS: usize = 1_000_000;

/// The record of one call.
///
/// ```no_run
/// use actions_trace::{Entry, Trace};
///
/// let trace = Trace::read("runs/today")?;
/// println!("{} {}", trace.about.tool, trace.about.started_at);
/// for recorded in &trace.events {
///     match &recorded.entry {
///         Entry::Event(event) => println!("{:>6} ms {:?}", recorded.at_ms, event.kind),
///         Entry::Unknown { event, .. } => println!("{:>6} ms {event}", recorded.at_ms),
///     }
/// }
/// # Ok::<(), actions_trace::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Trace {
    /// The call.
    pub about: About,
    /// The plan of the tool.
    pub plan: Value,
    /// What happened, in order.
    pub events: Vec<Recorded>,
    folder: PathBuf,
}

/// An event and when it happened.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Recorded {
    /// Milliseconds since the trace began.
    pub at_ms: u64,
    /// The line of `events.ndjson`, from 1.
    pub line: usize,
    /// The event.
    pub entry: Entry,
}

/// A line of a trace.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// An event of a kind that this version knows.
    Event(Box<RunEvent>),
    /// An event of a kind that only a newer version knows.
    Unknown {
        /// The kind.
        event: String,
        /// Every field of the line.
        fields: Map<String, Value>,
    },
}

/// Why a trace could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A file could not be read.
    #[error("{}: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The trace has a major version that this reader does not know.
    #[error("{}: a trace of version {found}; this reader knows version {}", .path.display(), Version::CURRENT)]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: Version,
    },
    /// A line, or a file of one value, is not what the format says.
    #[error("{}:{line}: {reason}", .path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A file, a line or the number of events exceeds a limit of the reader.
    #[error("{}: more than {limit} {what}", .path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit.
        limit: u64,
        /// What it counts.
        what: &'static str,
    },
}

impl Trace {
    /// Reads the trace in a folder. Kinds of events and fields that a newer minor version added are no error.
    pub fn read(folder: impl AsRef<Path>) -> Result<Self, ReadError> {
        let folder = folder.as_ref();
        let about: About = read_json(&folder.join(ABOUT))?;
        check_version(&folder.join(ABOUT), &about.trace, about.version)?;
        let plan = read_json(&folder.join(PLAN))?;
        let events = read_events(&folder.join(EVENTS), &about)?;
        Ok(Self { about, plan, events, folder: folder.to_owned() })
    }

    /// Reads a picture by the name that its event gives.
    pub fn read_picture(&self, file: &str) -> Result<Vec<u8>, ReadError> {
        let path = self.folder.join(file);
        let name = file.strip_prefix(PICTURES).and_then(|rest| rest.strip_prefix('/'));
        if name.is_none_or(|name| name.contains(['/', '\\']) || name == "..") {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "not the name of a picture of a trace");
            return Err(ReadError::Unreadable { path, error });
        }
        read_file(&path)
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, ReadError> {
    let unreadable = |error| ReadError::Unreadable { path: path.to_owned(), error };
    let file = File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(ReadError::TooLarge { path: path.to_owned(), limit: MAX_FILE_BYTES, what: "bytes" });
    }
    Ok(bytes)
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, ReadError> {
    serde_json::from_slice(&read_file(path)?).map_err(|error| ReadError::Broken {
        path: path.to_owned(),
        line: error.line().max(1),
        reason: error.to_string(),
    })
}

fn check_version(path: &Path, trace: &str, found: Version) -> Result<(), ReadError> {
    if trace != FORMAT {
        let reason = format!("`{trace}` is not the format of a trace; `{FORMAT}` is");
        return Err(ReadError::Broken { path: path.to_owned(), line: 1, reason });
    }
    if found.major != Version::CURRENT.major {
        return Err(ReadError::Version { path: path.to_owned(), found });
    }
    Ok(())
}

fn read_events(path: &Path, about: &About) -> Result<Vec<Recorded>, ReadError> {
    let unreadable = |error| ReadError::Unreadable { path: path.to_owned(), error };
    let too_large = |limit, what| ReadError::TooLarge { path: path.to_owned(), limit, what };
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.len() > MAX_FILE_BYTES {
        return Err(too_large(MAX_FILE_BYTES, "bytes"));
    }
    let mut lines = BufReader::new(file.take(MAX_FILE_BYTES));
    let mut events = Vec::new();
    let mut buffer = Vec::new();
    for number in 1.. {
        buffer.clear();
        (&mut lines).take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut buffer).map_err(unreadable)?;
        if buffer.is_empty() && number > 1 {
            break;
        }
        if buffer.len() as u64 > MAX_LINE_BYTES {
            return Err(too_large(MAX_LINE_BYTES, "bytes in a line"));
        }
        if events.len() == MAX_EVENTS {
            return Err(too_large(MAX_EVENTS as u64, "events"));
        }
        let broken = |error: serde_json::Error| ReadError::Broken {
            path: path.to_owned(),
            line: number,
            reason: error.to_string(),
        };
        if number == 1 {
            let header: Header = serde_json::from_slice(&buffer).map_err(broken)?;
            check_version(path, &header.trace, header.version)?;
        } else {
            events.push(recorded(&buffer, number, about).map_err(broken)?);
        }
    }
    Ok(events)
}

fn recorded(bytes: &[u8], line: usize, about: &About) -> Result<Recorded, serde_json::Error> {
    /// What every line has.
    #[derive(Deserialize)]
    struct Line {
        event: String,
        at_ms: u64,
    }
    let mut fields: Map<String, Value> = serde_json::from_slice(bytes)?;
    let Line { event, at_ms } = Line::deserialize(&fields)?;
    if !is_known(&event) {
        return Ok(Recorded { at_ms, line, entry: Entry::Unknown { event, fields } });
    }
    // Version 1.0 wrote the call only in `trace.json`.
    fields.entry("call_id").or_insert_with(|| about.call_id.as_str().into());
    let event = RunEvent::deserialize(&fields)?;
    Ok(Recorded { at_ms, line, entry: Entry::Event(Box::new(event)) })
}

/// Whether this version has an event of a kind. It asks the deserializer of [`EventKind`], which has the only list.
fn is_known(event: &str) -> bool {
    let only_the_kind = std::iter::once(("event", event.into_deserializer()));
    let read = EventKind::deserialize(MapDeserializer::<_, KindError>::new(only_the_kind));
    !matches!(read, Err(KindError::UnknownKind))
}

/// Why a kind of event alone is not an event.
#[derive(Debug, thiserror::Error)]
enum KindError {
    #[error("unknown kind")]
    UnknownKind,
    #[error("missing fields")]
    Incomplete,
}

impl serde::de::Error for KindError {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self::Incomplete
    }

    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        Self::UnknownKind
    }
}
