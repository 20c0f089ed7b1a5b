//! An MCP server over the sessions of a runtime: the tools of maps for every agent that speaks MCP.
//!
//! A [`Server`] offers each tool of its maps as a tool of MCP, with `actions_site` for the state of a page and
//! `actions_page` for pages. Clients connect by a transport: [`stdio`] has one client, [`listen`] has several by HTTP.
//! Both eras of the protocol are served: clients that `initialize`, and stateless ones of 2026-07-28.

mod address;
mod answer;
mod call;
mod catalogue;
mod client;
mod confirmations;
mod definition;
mod elicit;
mod handler;
mod large;
pub mod listen;
mod names;
mod options;
mod outline;
mod page;
mod progress;
mod prompts;
mod recording;
mod resources;
mod schema;
mod server;
mod shared;
mod site;
pub mod stdio;
mod versions;
mod watch;

use actions_runtime::MapVersion;
pub use client::Client;
pub use confirmations::Confirmations;
pub use definition::{Definition, Style, definitions};
pub use options::{Offer, ServerOptions, TextStyle};
pub use recording::recordings_of;
pub use server::Server;
pub use shared::MakeSession;

/// The definitions of the tools of maps, under the names that the server gives them; with an address, of those that apply
/// there.
pub fn definitions_of(maps: &[MapVersion], url: Option<&str>) -> Vec<Definition> {
    catalogue::Catalogue::of(maps).of_maps(url)
}
