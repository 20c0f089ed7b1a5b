//! Sessions that live in a background process between commands, and how commands talk to them.
//!
//! A session is one process with one browser. It listens on a Unix socket in a folder that only its user can enter. A
//! command connects, sends one request as a line of JSON, receives events and then one answer. Closing the connection
//! cancels the request.

mod client;
mod frame;
mod hold;
mod message;
mod options;
mod place;
mod recorded;
mod serve;
mod spawn;
mod work;

pub(crate) use client::{identity, info, list, primitive, record, run, state, stop};
pub(crate) use hold::hold;
pub(crate) use message::{
    PrimitiveReply, PrimitiveRequest, RecordRequest, RunReply, RunRequest, Shown, ShownState, StateKind,
    StateRequest,
};
pub(crate) use options::SessionOptions;
pub(crate) use place::{Place, all};
pub(crate) use spawn::{Spawned, spawn};
pub(crate) use work::{shown, summary_schema};
