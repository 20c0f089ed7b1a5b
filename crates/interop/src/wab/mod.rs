//! The Web Agent Bridge: reads discovery documents, checks and translates them, and sends commands as an agent.
//!
//! [`check`] says what is wrong with a document, with the place. [`import`] makes a map of it, whose tools call the primitive
//! `wab.command`. [`Agent`] performs that primitive: it keeps the sessions of bridges and chooses the transport.

mod agent;
mod check;
mod command;
mod discovery;
mod import;
pub mod permission;
pub mod rank;
pub mod rules;
mod transports;

pub use agent::Agent;
pub use check::check;
pub use command::{Command, Parameter, Trigger};
pub use discovery::Discovery;
pub use import::import;
pub use transports::Transports;
