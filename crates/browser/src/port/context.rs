//! The port of a browser context: pages with their own cookies and storage.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::broadcast;

use super::{DownloadPolicy, Page};
use crate::har::{Recorder, Replay};
use crate::{Confinement, Deadline, Error, FrameId, Proxy, Steady, StorageState, Viewport};

/// The language and time zone of pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locale {
    /// The language, such as `de-DE`.
    pub language: Option<String>,
    /// The time zone, such as `Europe/Berlin`.
    pub timezone: Option<String>,
}

/// Options for opening a context.
#[derive(Clone, Debug, Default)]
pub struct ContextOptions {
    /// The viewport of its pages; that of the launch if absent.
    pub viewport: Option<Viewport>,
    /// The user agent of its pages; the browser's own with our name appended if absent.
    pub user_agent: Option<String>,
    /// What stands after the user agent, such as who runs the program.
    pub user_agent_suffix: Option<String>,
    /// Language and time zone.
    pub locale: Locale,
    /// Its own proxy.
    pub proxy: Option<Proxy>,
    /// What happens to downloads.
    pub downloads: DownloadPolicy,
    /// The initial cookies and storage.
    pub storage_state: Option<StorageState>,
    /// Where its pages may navigate; anywhere if absent. Confining subresources needs a browser that was launched with
    /// `Reach::Proxied`.
    pub confinement: Option<Confinement>,
    /// A recording that answers all requests, so that nothing leaves the machine. Needs a browser that was launched
    /// with
    /// `Reach::Nowhere`.
    pub replay: Option<Arc<Replay>>,
    /// The recorder of its pages' requests and responses.
    pub recorder: Option<Arc<Recorder>>,
    /// Whether pages emit [`PageEvent::RequestFailed`](super::PageEvent::RequestFailed). It costs no round trip, but
    /// about seven protocol events per request, so it is off by default.
    pub report_failed_requests: bool,
    /// Whether time and random numbers are the same on every load; they are the machine's if absent. Shared and service
    /// workers follow only with a recorder or a replay.
    pub steady: Option<Steady>,
}

/// An event of a context.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ContextEvent {
    /// A page opened, by us or by another page.
    PageOpened {
        /// The id of its main frame, which never changes.
        main_frame: FrameId,
    },
    /// A page closed.
    PageClosed {
        /// The id of its main frame.
        main_frame: FrameId,
    },
    /// A page opened more pages than allowed; the new page was closed at once.
    PageRefused {
        /// How many pages opened by pages may be open at once.
        limit: usize,
    },
}

/// A browser context. It shares no cookies, cache or storage with other contexts.
#[async_trait]
pub trait Context: Send + Sync {
    /// Opens an empty page.
    async fn new_page(&self, deadline: Deadline) -> Result<Arc<dyn Page>, Error>;

    /// The open pages in the order in which they opened, including popups.
    fn pages(&self) -> Vec<Arc<dyn Page>>;

    /// Subscribes to events from now on.
    fn events(&self) -> broadcast::Receiver<ContextEvent>;

    /// Confines its pages from now on, including those that are open. Does nothing if the context was opened with this
    /// [`ContextOptions::confinement`]. Subresources can be confined only when a context is opened.
    async fn confine(&self, confinement: Confinement, deadline: Deadline) -> Result<(), Error>;

    /// Records the requests of its pages from now on, or no longer. Those of workers that run already are left out.
    async fn record(&self, recorder: Option<Arc<Recorder>>, deadline: Deadline) -> Result<(), Error>;

    /// Reads cookies and storage of every origin the context has visited.
    async fn storage_state(&self, deadline: Deadline) -> Result<StorageState, Error>;

    /// Closes the context and its pages, and deletes its cookies and storage.
    async fn close(&self, deadline: Deadline) -> Result<(), Error>;
}
