//! The browser as a port.

use std::sync::Arc;

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

    /// Ends the browser in good order and returns when nothing is left of it. An attached browser is only let go.
    async fn close(&self);
}
