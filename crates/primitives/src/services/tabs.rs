//! The tabs of a session, as primitives open, close and choose them.

use std::sync::Arc;

use actions_browser::{Deadline, Page};
use async_trait::async_trait;

use crate::Failure;

/// A tab of a session.
#[derive(Clone)]
pub struct Tab {
    /// Its number in the session.
    pub id: u64,
    /// The id by which clients address it.
    pub runtime_id: String,
    /// Whether calls that name no tab run on it.
    pub is_active: bool,
    /// Its page.
    pub page: Arc<dyn Page>,
}

/// The tabs of a session.
#[async_trait]
pub trait Tabs: Send + Sync {
    /// The open tabs, in the order in which they opened.
    fn list(&self) -> Vec<Tab>;

    /// Opens an empty tab. It is not the active one.
    async fn open(&self, deadline: Deadline) -> Result<Tab, Failure>;

    /// Makes an open tab the one that calls run on from now on. Running calls stay where they are. `None` if no such tab
    /// is open.
    fn activate(&self, id: u64) -> Option<Tab>;
}
