//! The services of a session that outlive its pages: transfer values, tasks, markers, pacing, and files of the map.

mod announcing;
mod bundle_folder;
mod downloads;
mod files;
mod history;
mod host;
mod http;
mod log;
mod markers;
mod pacing;
mod process_agent;
mod tabs;
mod tasks;
mod title;
mod transfers;
mod uploads;
mod wab;

pub use announcing::Announcing;
pub(crate) use announcing::{Deliveries, Delivery};
pub use bundle_folder::BundleFolder;
pub use downloads::Downloads;
pub(crate) use downloads::{Saved, Unsaved, save};
pub use files::MapFile;
pub use history::History;
pub use host::{
    AgentEvents, BundleEntry, BundleStorage, Host, HostSlot, HostedAgent, MessageMode, PayloadLimit, Synced,
};
pub use http::{HttpAuth, HttpCall, HttpCaller, HttpReply};
pub(crate) use log::LogEntry;
pub use log::SessionLog;
pub use markers::{Marker, Markers, RecipeStep};
pub use pacing::Pacing;
pub use process_agent::ProcessAgent;
pub use tabs::{Tab, Tabs};
pub use tasks::Tasks;
pub(crate) use tasks::{Task, TaskList, TaskStatus};
pub use title::SessionTitle;
pub use transfers::Transfers;
pub(crate) use transfers::{Transfer, TransferFormat, TransferKey, TransferRecord, TransferSource};
pub(crate) use uploads::Denied;
pub use uploads::Uploads;
pub use wab::{WabAuth, WabCall, WabCaller, WabPage, WabPageAnswer, WabPlaces, WabReply, WabTransport};

/// What a session offers to primitives beside its pages.
///
/// [`Memory`] is the simplest implementation: a session without a map.
pub trait Services: Send + Sync {
    /// What the session remembers between primitives.
    fn memory(&self) -> &Memory;

    /// The files that the map of the session declares, in the order of the map.
    fn files(&self) -> Vec<MapFile>;

    /// The tabs of the session, if it can open and close pages.
    fn tabs(&self) -> Option<&dyn Tabs>;
}

/// What a session remembers between primitives. It ends with the session.
#[derive(Debug, Default)]
pub struct Memory {
    /// The time between actions that a visitor would see.
    pub pacing: Pacing,
    /// The markers that projections found on the pages of the session.
    pub markers: Markers,
    /// The queue in which an agent keeps its plan.
    pub tasks: Tasks,
    /// The values that one call stores for another.
    pub transfers: Transfers,
    /// The downloads that calls have returned.
    pub downloads: Downloads,
    /// The files that were opened for an upload.
    pub uploads: Uploads,
    /// How announcements of live regions reach the caller.
    pub announcing: Announcing,
    /// Which primitives were performed.
    pub log: SessionLog,
    /// Which tools were called, and which of them succeeded.
    pub history: History,
    /// The name of the session for people.
    pub title: SessionTitle,
    /// What the program around the engine offers.
    pub host: HostSlot,
}

impl Services for Memory {
    fn memory(&self) -> &Memory {
        self
    }

    fn files(&self) -> Vec<MapFile> {
        Vec::new()
    }

    fn tabs(&self) -> Option<&dyn Tabs> {
        None
    }
}
