//! Navigating a page and waiting for its documents.

use async_trait::async_trait;

use crate::{Deadline, Error, FrameId, LoadState, Navigated, NavigationMark};

/// Navigating a page and waiting for its documents.
#[async_trait]
pub trait Navigation: Send + Sync {
    /// Goes to an address and waits until the document there has reached `until`.
    async fn navigate(&self, url: &str, until: LoadState, deadline: Deadline) -> Result<Navigated, Error>;

    /// Goes back (`-1`), forward (`1`) or further in the history.
    async fn go(&self, steps: i32, until: LoadState, deadline: Deadline) -> Result<Navigated, Error>;

    /// Reloads the document.
    async fn reload(&self, until: LoadState, deadline: Deadline) -> Result<Navigated, Error>;

    /// Marks this moment for [`wait_for_navigation`](Self::wait_for_navigation). Take the mark before the action that
    /// may navigate.
    fn navigation_mark(&self) -> NavigationMark;

    /// The address the main frame is navigating to, if a navigation has been requested and has no document yet.
    fn navigating_to(&self) -> Option<String>;

    /// Waits for a navigation of the main frame after the mark, and until its document has reached `until`.
    async fn wait_for_navigation(
        &self,
        since: NavigationMark,
        until: LoadState,
        deadline: Deadline,
    ) -> Result<Navigated, Error>;

    /// Waits until the current document of a frame has reached `until`.
    async fn wait_for_load(&self, frame: &FrameId, until: LoadState, deadline: Deadline)
    -> Result<(), Error>;
}
