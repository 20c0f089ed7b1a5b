//! A browser context as a port: an island with cookies, storage and pages of its own.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::broadcast;

use super::{DownloadPolicy, Page};
use crate::har::{Recorder, Replay};
use crate::{Confinement, Deadline, Error, FrameId, Proxy, StorageState, Viewport};

/// Language and time zone that pages are told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locale {
    /// The language, such as `de-DE`.
    pub language: Option<String>,
    /// The time zone, such as `Europe/Berlin`.
    pub timezone: Option<String>,
}

/// How a context is to be opened.
#[derive(Clone, Debug, Default)]
pub struct ContextOptions {
    /// The viewport of its pages; the one of the launch when absent.
    pub viewport: Option<Viewport>,
    /// What its pages say they are; the browser's own user agent with our name when absent.
    pub user_agent: Option<String>,
    /// Language and time zone.
    pub locale: Locale,
    /// Its own proxy.
    pub proxy: Option<Proxy>,
    /// What happens to downloads.
    pub downloads: DownloadPolicy,
    /// Cookies and storage to begin with.
    pub storage_state: Option<StorageState>,
    /// Where its pages may go; anywhere when absent. With subresources it takes a browser that was launched for it, with
    /// `Reach::Proxied`.
    pub confinement: Option<Confinement>,
    /// The recording that is its network. Nothing leaves the machine then; it takes a browser that was launched for it,
    /// with `Reach::Nowhere`.
    pub replay: Option<Arc<Replay>>,
    /// The recorder of its pages' requests and responses.
    pub recorder: Option<Arc<Recorder>>,
    /// Whether pages emit [`PageEvent::RequestFailed`](super::PageEvent::RequestFailed). It costs no round trip, but about
    /// seven protocol events per request, so it is off by default.
    pub report_failed_requests: bool,
}

/// What happens in a context.
#[derive(Clone, Debug)]
pub enum ContextEvent {
    /// A page opened, by us or by another page.
    PageOpened {
        /// Its place in [`Context::pages`] may change; its main frame's id does not.
        main_frame: FrameId,
    },
    /// A page closed.
    PageClosed {
        /// The id of its main frame.
        main_frame: FrameId,
    },
    /// A page wanted to open one more page than pages may; it was closed at once.
    PageRefused {
        /// How many pages that were opened by pages may be open.
        limit: usize,
    },
}

/// A browser context: no cookie, cache or storage is shared with any other.
#[async_trait]
pub trait Context: Send + Sync {
    /// Opens an empty page.
    async fn new_page(&self, deadline: Deadline) -> Result<Arc<dyn Page>, Error>;

    /// The open pages, in the order in which they opened; pages opened by pages are among them.
    fn pages(&self) -> Vec<Arc<dyn Page>>;

    /// Listens to what happens from now on.
    fn events(&self) -> broadcast::Receiver<ContextEvent>;

    /// Confines its pages from now on, including those that are open. Does nothing if the context was opened with this
    /// [`ContextOptions::confinement`]. Subresources can be confined only when a context is opened.
    async fn confine(&self, confinement: Confinement, deadline: Deadline) -> Result<(), Error>;

    /// Reads cookies and storage of every origin the context has visited.
    async fn storage_state(&self, deadline: Deadline) -> Result<StorageState, Error>;

    /// Closes the context with all its pages and forgets its cookies and storage.
    async fn close(&self, deadline: Deadline) -> Result<(), Error>;
}
