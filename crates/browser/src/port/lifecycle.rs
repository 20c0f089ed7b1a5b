//! The life of a page: its events, its end, and what driving it costs.

use async_trait::async_trait;
use tokio::sync::broadcast;

use super::{Counters, Download, PageEvent};
use crate::{Deadline, Error, FrameId};

/// The life of a page: its events, its end, and what driving it costs.
#[async_trait]
pub trait Lifecycle: Send + Sync {
    /// Subscribes to the events of the page from now on.
    fn events(&self) -> broadcast::Receiver<PageEvent>;

    /// Whether the page is closed or its browser is lost.
    fn is_closed(&self) -> bool;

    /// The main frame of the page that opened this one. `None` if a caller opened it.
    fn opener(&self) -> Option<FrameId>;

    /// Waits until every page that this one has begun to open can be driven, or the deadline passes. Costs no round trip if
    /// it opened none.
    async fn settle_opened(&self, deadline: Deadline);

    /// The last downloads that the page, or a page that it opened, has started, in order. Each change of them is an event of
    /// the page. Fails while the page cannot be driven.
    fn downloads(&self) -> Result<Vec<Download>, Error>;

    /// Closes the page without running its `beforeunload` handlers. Closing a closed page succeeds.
    async fn close(&self, deadline: Deadline) -> Result<(), Error>;

    /// Brings the page to the front of its window.
    async fn bring_to_front(&self, deadline: Deadline) -> Result<(), Error>;

    /// The commands, round trips and events that this page has cost so far.
    fn counters(&self) -> Counters;
}
