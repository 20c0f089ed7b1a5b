//! Waits for the document that the input of a primitive made the page load.

use std::time::Duration;

use actions_browser::Error;
use actions_protocol::ErrorCode;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use crate::Failure;
use crate::scene::Scene;

/// How often a primitive that is past its timeout checks whether the page is still navigating.
const STUCK_INTERVAL: Duration = Duration::from_millis(250);

/// Performs a primitive, and fails after its timeout if the page is still navigating then. Chromium answers no call of the
/// page script while the main frame waits for the response to a navigation.
pub(crate) async fn unless_stuck(
    scene: &Scene<'_>,
    performing: BoxFuture<'_, Result<Value, Failure>>,
    timeout: Duration,
) -> Result<Value, Failure> {
    let clock = scene.stage.clock();
    let stuck = async {
        clock.sleep_until(clock.now() + timeout).await;
        loop {
            if let Some(to) = scene.page().navigating_to() {
                return not_loaded(scene, to, timeout);
            }
            clock.sleep_until(clock.now() + STUCK_INTERVAL).await;
        }
    };
    tokio::select! {
        biased;
        performed = performing => performed,
        failure = stuck => Err(failure),
    }
}

/// Waits until the document that the input made the page load is parsed, so that the next step reads the new page. Returns
/// the `navigation` of the output, or `None` if the input loaded no document.
pub(crate) async fn settle_navigation(
    scene: &Scene<'_>,
    timeout: Duration,
) -> Result<Option<Value>, Failure> {
    let page = scene.page();
    let deadline = scene.deadline.at_most(&*scene.stage.clock(), timeout);
    let navigated = match page.settle_navigation(scene.stage.navigation_mark(), deadline).await {
        Ok(navigated) => navigated,
        Err(Error::Timeout { limit, saw, .. }) => {
            let to = page.navigating_to().or(saw).unwrap_or_default();
            return Err(not_loaded(scene, to, limit));
        }
        // The navigation failed, or the confinement of the page stopped it and reports that itself.
        Err(Error::NavigationFailed { .. } | Error::RequestRefused(_)) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    Ok(navigated.map(|navigated| {
        let mut navigation = json!({ "url": navigated.url });
        if let Some(status) = navigated.status {
            navigation["status"] = json!(status);
        }
        navigation
    }))
}

/// The failure of a primitive whose input made the page load a document that was not parsed in time.
fn not_loaded(scene: &Scene<'_>, to: String, limit: Duration) -> Failure {
    let message = format!(
        "`{}` made the page navigate to {to}, and the new document was not parsed within {limit:?}",
        scene.primitive.name
    );
    Failure::new(ErrorCode::Timeout, message).with_evidence("navigating_to", to)
}

impl Scene<'_> {
    /// Whether an element could not be read because the input of this primitive made the page load another document. Waits
    /// until that document is parsed, at most until the deadline.
    pub(crate) async fn has_replaced_document(&self, failure: &Failure) -> bool {
        if !matches!(
            failure.code,
            ErrorCode::TargetNotFound | ErrorCode::TargetDetached | ErrorCode::TargetNotActionable
        ) {
            return false;
        }
        let settled = self.page().settle_navigation(self.stage.navigation_mark(), self.deadline).await;
        matches!(settled, Ok(Some(_)) | Err(Error::Timeout { .. }))
    }
}
