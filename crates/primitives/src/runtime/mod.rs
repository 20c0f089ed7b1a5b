//! Primitives for the session itself and for the agent beside it.

pub(crate) mod agent;
pub(crate) mod configure_pacing;
pub(crate) mod session;
