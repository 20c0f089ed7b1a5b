//! The connection to Chromium: one transport, many flattened sessions, typed commands.
//!
//! A [`Session`] sends a command and returns a [`Pending`] response at once, so that several commands can be in flight
//! together. One task reads the transport. It routes every response to the call that waits for it, and every event, in
//! the order of the wire, to the handler of its session.

mod connection;
mod message;
mod pending;
mod pipe;
mod session;
mod session_end;
mod subscription;
mod tally;
mod target;
mod web_socket;

pub(crate) use connection::{Attached, Connection};
pub(crate) use message::Event;
#[doc(hidden)]
pub use message::reads_message;
pub use pending::Pending;
pub(crate) use pipe::PipeEnds;
pub(crate) use session::EventHandler;
pub use session::Session;
pub(crate) use session_end::{SessionEnd, Subject};
pub use subscription::Subscription;
pub(crate) use target::Target;

/// The longest message that is read, on both transports: a page must not be able to fill our memory.
const LONGEST_MESSAGE: usize = 256 << 20;
