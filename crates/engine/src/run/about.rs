//! Describes a call for its trace.

use std::time::{SystemTime, UNIX_EPOCH};

use actions_manifest::CheckedManifest;
use actions_protocol::{CallId, Timestamp};
use actions_trace::{About, MapDigest};
use sha2::{Digest, Sha256};

use crate::plan::Plan;

/// The description of a call that begins now.
pub(super) fn about(manifest: &CheckedManifest, plan: &Plan, call_id: &CallId) -> About {
    let maps = manifest.parts().iter().map(|part| {
        let source = part.document().source();
        MapDigest { name: source.name().to_owned(), digest: digest(source.text()) }
    });
    let millis = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let started_at = Timestamp::from_unix_millis(u64::try_from(millis).unwrap_or(u64::MAX));
    About::new(env!("CARGO_PKG_VERSION"), call_id.clone(), plan.name.clone(), started_at, maps.collect())
}

fn digest(text: &str) -> String {
    format!("sha256:{}", data_encoding::HEXLOWER.encode(&Sha256::digest(text.as_bytes())))
}
