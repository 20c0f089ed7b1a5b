//! The Actions Bridge Protocol over the sessions of a runtime.
//!
//! A [`Bridge`] makes every page of a [`Runtime`](actions_runtime::Runtime) a runtime of the protocol: it announces the page,
//! reports its states, takes calls in their order and answers each exactly once. Clients connect by a transport:
//! [`stdio`] has one client, one item per line; [`listen`] has WebSocket clients; [`connect`] dials out to a bridge.

mod bridge;
mod client;
mod clients;
pub mod connect;
mod connection;
mod limits;
pub mod listen;
mod memory;
mod order;
mod people;
mod perform;
mod pictures;
mod progress;
mod request;
mod routing;
mod served;
mod shared;
pub mod stdio;

pub use bridge::Bridge;
pub use client::Dismissal;
pub use connection::Connection;
pub use people::People;
