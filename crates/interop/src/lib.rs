//! Finds, reads, translates and obeys what sites publish for agents: AWAS, AWP, WAB, A2WF and WebMCP.
//!
//! Everything that comes from a site is data from a stranger: [`fetch`] bounds it, [`classify`] looks at what it is and not
//! at where it was found, and readers report what is wrong with it as findings with a place.

pub mod classify;
pub mod fetch;
pub mod html;
pub mod identity;
pub mod limits;
pub mod robots;
