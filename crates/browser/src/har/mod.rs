//! Network recordings in HAR 1.2: reading, replaying, recording and writing.
//!
//! An [`Archive`] is a recording with an index of its requests; a [`Replay`] is one pass through it, for one context. A
//! [`Recorder`] collects the requests of a context and their responses.

mod answer;
mod archive;
mod body;
mod charset;
mod conceal;
mod credentials;
mod direct;
mod fields;
mod miss;
mod model;
mod read;
mod recorder;
mod replay;
mod request;
mod tolerance;
mod write;

pub(crate) use answer::Answer;
pub use archive::Archive;
pub use direct::DirectAnswer;
pub use miss::ReplayMiss;
pub use model::{Content, Creator, Entry, Har, Header, Log, PostData, Request, Response, Timings};
pub use read::HarError;
pub use recorder::Recorder;
pub(crate) use recorder::{Exchange, Moment, RecordedBody};
pub use replay::Replay;
pub use tolerance::Tolerance;
