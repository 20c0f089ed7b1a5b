//! A bridge of the Web Agent Bridge: the tools of maps, on a live page, for agents that speak that protocol.
//!
//! A [`Bridge`] answers commands, whatever brings them. [`listen`] serves it by HTTP and WebSocket, and [`page_global`] puts
//! it into the pages of the session, for scripts and drivers in the same browser. All of them end in one dispatcher, so the
//! same command has the same result on every transport.

pub mod audit;
mod bridge;
mod caller;
mod catalogue;
mod dispatch;
mod document;
mod event;
mod http;
mod keys;
pub mod listen;
mod message;
mod methods;
mod names;
mod origins;
pub mod page_global;
mod permission;
mod rate;
mod replay;
mod sanitise;
mod sessions;
mod socket;
mod trigger;

pub use bridge::{Bridge, BridgeError, BridgeOptions, Selectors};
pub use keys::{Keys, KeysError};
pub use message::{Command, Reply};
pub use names::NameCollision;
pub use permission::{Permission, Permissions, UnknownPermission};
