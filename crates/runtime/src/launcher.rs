//! The port through which a runtime gets its browsers.

use std::sync::Arc;

use actions_engine::CallError;
use actions_engine::browser::{Browser, Error};
use actions_primitives::Failure;
use async_trait::async_trait;

/// Launches browsers for a runtime.
#[async_trait]
pub trait Launcher: Send + Sync + 'static {
    /// Launches a browser. Returns only when it is ready or has left nothing behind.
    async fn launch(&self) -> Result<Arc<dyn Browser>, CallError>;
}

/// Launches Chromium.
#[cfg(feature = "chromium")]
#[derive(Clone, Debug, Default)]
pub struct ChromiumLauncher {
    /// How Chromium is launched.
    pub options: actions_engine::browser::chromium::LaunchOptions,
}

#[cfg(feature = "chromium")]
#[async_trait]
impl Launcher for ChromiumLauncher {
    async fn launch(&self) -> Result<Arc<dyn Browser>, CallError> {
        let launched = actions_engine::browser::chromium::launch(self.options.clone()).await;
        Ok(Arc::new(launched.map_err(failed)?.browser))
    }
}

/// A failure of the browser as the error of a call.
pub(crate) fn failed(error: Error) -> CallError {
    CallError::from(Failure::from(error))
}
