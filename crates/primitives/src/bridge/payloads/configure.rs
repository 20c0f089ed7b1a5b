//! `bridge.payloads.configure`: sets how large a result may be before it goes to a file.

use actions_protocol::ErrorCode;
use serde::{Deserialize, Deserializer, Serialize};

use crate::Failure;
use crate::scene::Scene;
use crate::services::Host;

#[derive(Deserialize)]
pub(crate) struct Args {
    /// Absent to ask for the limit, null to restore the default.
    #[serde(default, deserialize_with = "present")]
    inline_limit_bytes: Option<Option<u64>>,
}

#[derive(Serialize)]
pub(crate) struct Output {
    inline_limit_bytes: u64,
    default_inline_limit_bytes: u64,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let payloads = scene.stage.memory().host.get().and_then(Host::payloads).ok_or_else(|| {
        let message = "no bridge serves this session, so no result goes to a file";
        Failure::new(ErrorCode::CapabilityUnavailable, message)
    })?;
    if let Some(limit) = args.inline_limit_bytes {
        payloads.set_limit(limit);
    }
    Ok(Output {
        inline_limit_bytes: payloads.inline_limit(),
        default_inline_limit_bytes: payloads.default_limit(),
    })
}

/// Tells null from an absent argument.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<u64>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}
