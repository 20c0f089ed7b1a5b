//! Recordings of the network in HAR 1.2: read, looked up, made, written.
//!
//! An [`Archive`] is a recording that can be looked up; a [`Replay`] is one pass through it, for one context. A
//! [`Recorder`] collects what the pages of a context ask for and makes a recording of it.

mod answer;
mod archive;
mod body;
mod charset;
mod conceal;
mod miss;
mod model;
mod read;
mod recorder;
mod replay;
mod request;
mod write;

pub(crate) use answer::Answer;
pub use archive::Archive;
pub use miss::ReplayMiss;
pub use model::{Content, Creator, Entry, Har, Header, Log, PostData, Request, Response, Timings};
pub use read::HarError;
pub use recorder::Recorder;
pub(crate) use recorder::{Exchange, Moment, RecordedBody};
pub use replay::Replay;
pub use write::HarFile;
