//! Finds, reads, translates and obeys what sites publish for agents: AWAS, AWP, WAB, A2WF and WebMCP.
//!
//! Everything that comes from a site is data from a stranger: [`fetch`] bounds it, [`classify`] looks at what it is and not
//! at where it was found, and readers report what is wrong with it as findings with a place.

pub mod a2wf;
pub mod awas;
pub mod awp;
pub mod classify;
pub mod credentials;
pub mod discover;
mod document;
pub mod fetch;
pub mod html;
pub mod http;
pub mod identity;
pub mod import;
pub mod limits;
pub mod record;
pub mod robots;
pub mod systems;
pub mod wab;
