//! Finds a stored value that has not expired.

use actions_protocol::ErrorCode;

use crate::Failure;
use crate::scene::Scene;
use crate::services::{Transfer, TransferKey};

/// Finds a stored value that has not expired.
pub(super) fn find(scene: &Scene<'_>, key: &TransferKey) -> Result<Transfer, Failure> {
    let store = scene.stage.memory().transfers.store();
    let found = store.find(key).ok_or_else(|| {
        Failure::new(ErrorCode::TransferLabelNotFound, "nothing is stored under this label or id")
    })?;
    if found.expires_ms <= scene.stage.clock().unix_millis() {
        let message = format!("the value expired at {}", found.record.expires_at.as_str());
        return Err(Failure::new(ErrorCode::TransferExpired, message)
            .with_evidence("expires_at", found.record.expires_at.as_str()));
    }
    Ok(found.clone())
}
