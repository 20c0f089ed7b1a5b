//! Finds out when a resource has changed: a state, a summary of it, or the context of a page.

use std::sync::Weak;
use std::time::Duration;

use actions_engine::{CallError, Millis, StateOptions};
use actions_runtime::RuntimeEvent;
use sha2::{Digest, Sha256};
use tokio::sync::broadcast::error::RecvError;

use crate::address::{Address, Kind};
use crate::resources::{WHOLE, applying};
use crate::shared::{Place, Shared};
use crate::versions::handle;

/// The time between two looks at a page where nothing was reported.
const PAUSE: Duration = Duration::from_secs(1);

/// How long a look waits after something was reported, so that the page comes to rest.
const REST: Duration = Duration::from_millis(100);

/// How long a look may take.
const LOOK: Millis = Millis(5_000);

/// Calls `changed` whenever the resource has changed since the last look. Ends with the server.
pub(crate) async fn watch(
    shared: Weak<Shared>,
    own: String,
    address: Address,
    changed: impl AsyncFn() -> bool,
) {
    let Some(mut events) =
        shared.upgrade().and_then(|shared| shared.runtime().ok()).map(|runtime| runtime.events())
    else {
        return;
    };
    let mut before: Option<String> = None;
    let mut is_first = true;
    loop {
        let now = {
            let Some(shared) = shared.upgrade() else { return };
            Box::pin(mark(&shared, &own, &address)).await
        };
        // What could not be read is no news, except that it can be read again later.
        if let Some(now) = now {
            let is_news = before.as_ref() != Some(&now) && !is_first;
            before = Some(now);
            if is_news && !changed().await {
                return;
            }
        }
        is_first = false;
        let reported = async {
            loop {
                match events.recv().await {
                    Ok(RuntimeEvent::CallEnded { .. } | RuntimeEvent::PageNavigated { .. })
                    | Err(RecvError::Lagged(_)) => {
                        return true;
                    }
                    Ok(_) => {}
                    Err(RecvError::Closed) => return false,
                }
            }
        };
        match tokio::time::timeout(PAUSE, reported).await {
            Ok(true) => tokio::time::sleep(REST).await,
            Ok(false) => return,
            Err(_) => {}
        }
    }
}

/// What tells the resource from what it was before. Nothing is opened for it.
async fn mark(shared: &Shared, own: &str, address: &Address) -> Option<String> {
    if address.page.is_none() {
        shared.open_session(own)?;
    }
    let place = shared.place(own, address.page.as_deref()).await.ok()?;
    match &address.kind {
        Kind::Context => applying(&place).await.ok().map(|context| digest(&context.to_string())),
        _ => state_mark(shared, &place, address).await.ok(),
    }
}

async fn state_mark(shared: &Shared, place: &Place, address: &Address) -> Result<String, CallError> {
    let projection = address.projection().unwrap_or_default();
    let lease = place.session.lease_for_projection(projection, &place.route).await?;
    let snapshot =
        Box::pin(lease.peek_state(projection, StateOptions::default().max_bytes(WHOLE).timeout(LOOK)))
            .await?;
    let hash = snapshot.state_hash.clone();
    shared.versions.keep_snapshot(&handle(&lease), snapshot);
    Ok(hash)
}

fn digest(text: &str) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(text))
}
