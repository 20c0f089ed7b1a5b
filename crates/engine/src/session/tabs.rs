//! The tabs of a session, as primitives see them.

use std::sync::Arc;

use actions_browser::Deadline;
use actions_primitives::{Failure, Tab, Tabs};
use actions_protocol::ErrorCode;
use async_trait::async_trait;

use super::pages::{HeldPage, PageId, Pages};

impl Pages {
    fn tab(&self, held: &HeldPage) -> Tab {
        Tab {
            id: held.id.0,
            runtime_id: format!("{}-{}", self.name(), held.id),
            is_active: held.id == self.current().id,
            page: Arc::clone(held.page()),
        }
    }
}

#[async_trait]
impl Tabs for Pages {
    fn list(&self) -> Vec<Tab> {
        self.open().iter().map(|held| self.tab(held)).collect()
    }

    async fn open(&self, deadline: Deadline) -> Result<Tab, Failure> {
        let Some(context) = self.context() else {
            let message = "the session does not own its browser context, so it opens no tabs";
            return Err(Failure::new(ErrorCode::CapabilityUnavailable, message));
        };
        let page = context.new_page(deadline).await?;
        let held = Pages::open(self).into_iter().find(|held| Arc::ptr_eq(held.page(), &page));
        let held = held.ok_or_else(|| Failure::new(ErrorCode::PageClosed, "the new tab closed at once"))?;
        Ok(self.tab(&held))
    }

    fn activate(&self, id: u64) -> Option<Tab> {
        Pages::activate(self, PageId(id)).map(|held| self.tab(&held))
    }
}
