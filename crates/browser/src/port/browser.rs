//! The browser as a port.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use super::{Context, ContextOptions};
use crate::{Clock, Deadline, Error};

/// A browser. It lives as long as this value: dropping it ends the browser if we launched it, without waiting.
#[async_trait]
pub trait Browser: Send + Sync {
    /// Opens a context of its own: no cookie, cache or storage is shared with any other.
    async fn new_context(
        &self,
        options: ContextOptions,
        deadline: Deadline,
    ) -> Result<Arc<dyn Context>, Error>;

    /// The browser's name and version, such as `HeadlessChrome/156.0.8078.79`.
    fn product(&self) -> String;

    /// What the browser says it is in requests, unless a context says otherwise.
    fn user_agent(&self) -> String;

    /// How much memory its processes use now, in bytes. `None` if that is not known, as for a browser that is only attached.
    fn memory(&self) -> Option<u64> {
        None
    }

    /// The clock by which deadlines are measured.
    fn clock(&self) -> Arc<dyn Clock>;

    /// Completes when the browser is gone, with the error every call gives from then on.
    async fn lost(&self) -> Error;

    /// Ends the browser and returns when nothing is left of it, or at the deadline. A browser that we launched is killed.
    /// In a browser that we attached to, our contexts are closed, and it is let go.
    async fn close_by(&self, deadline: Deadline);

    /// Ends the browser like [`Browser::close_by`], with a limit that only a broken machine reaches.
    async fn close(&self) {
        self.close_by(Deadline::after(&*self.clock(), CLOSING)).await;
    }
}

/// How long closing a browser may take. The kernel may keep a process that hangs in a driver.
const CLOSING: Duration = Duration::from_secs(10);
