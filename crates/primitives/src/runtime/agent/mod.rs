//! Primitives for the agent that lives beside the session.

pub(crate) mod await_event;
pub(crate) mod memory_clear;
pub(crate) mod start;
pub(crate) mod stop;
pub(crate) mod user_message;

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::scene::Scene;
use crate::services::{Host, HostedAgent};

/// Arguments of a primitive that takes none.
#[derive(Deserialize)]
pub(crate) struct Nothing {}

/// The state of the agent.
#[derive(Serialize)]
pub(crate) struct Status {
    status: String,
}

/// The agent of the session.
fn agent<'s>(scene: &Scene<'s>) -> Result<&'s dyn HostedAgent, Failure> {
    scene.stage.memory().host.get().and_then(Host::agent).ok_or_else(|| {
        let message = "no agent lives beside this session: the program that opened it provides none";
        Failure::new(ErrorCode::CapabilityUnavailable, message)
    })
}
