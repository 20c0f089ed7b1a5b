//! An address of this machine that clients connect to by HTTP, and who may.
//!
//! Requests pass the [`Gate`] first: a token, a known `Host`, no foreign `Origin`. What is served behind it is the matter
//! of the caller: WebSockets of the Actions Bridge Protocol, or MCP.

mod gate;
mod listening;
mod reports;
mod token;

pub use gate::{Gate, listed};
pub use listening::{Listening, Peer};
pub use reports::{Reporter, Reports};
pub use token::{Token, TokenError};
