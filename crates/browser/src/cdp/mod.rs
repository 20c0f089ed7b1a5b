//! The connection to Chromium: one transport, many flattened sessions, typed commands.
//!
//! A [`Session`] sends commands and gives back a [`Pending`] answer at once, so that several commands can be on their
//! way together. One task reads the transport: it hands every answer to the call that waits for it and every event,
//! in the order of the wire, to the handler of its session.

mod connection;
mod counters;
mod fate;
mod message;
mod pending;
mod pipe;
mod session;
mod subscription;
mod surrogates;
mod target;
mod web_socket;

pub(crate) use connection::{Attached, Connection};
pub use counters::Counters;
pub(crate) use fate::{Fate, Subject};
pub(crate) use message::Event;
pub use pending::Pending;
pub(crate) use pipe::PipeEnds;
pub(crate) use session::EventHandler;
pub use session::Session;
pub use subscription::Subscription;
pub(crate) use surrogates::from_json;
pub(crate) use target::Target;
