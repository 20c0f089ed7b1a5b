//! Reads the storage state of a context.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::blank_page::BlankPage;
use crate::chromium::context::ContextShared;
use crate::chromium::page::ChromiumPage;
use crate::origin_of;
use crate::{Call, Deadline, Error, Frames, Lifecycle, OriginState, Page, StorageItem, StorageState};

/// How much one origin may have stored.
const LARGEST_ORIGIN: usize = 64 << 20;

/// What is said of an origin that no page shows.
const SESSION_STORAGE_UNSEEN: &str = "session storage: no page shows this origin now; go there before saving";

/// The answer of `storage.read`.
#[derive(Deserialize)]
struct Stored {
    origin: String,
    local_storage: Vec<StorageItem>,
    session_storage: Vec<StorageItem>,
    indexed_db: Vec<Value>,
    unsaved: Vec<String>,
}

impl ContextShared {
    /// Cookies, and what every origin stored that was shown in a main frame.
    pub(crate) async fn read_storage(self: &Arc<Self>, deadline: Deadline) -> Result<StorageState, Error> {
        let mut state = StorageState { cookies: self.read_cookies(deadline).await?, origins: Vec::new() };
        let mut shown: BTreeMap<String, Vec<Arc<ChromiumPage>>> = BTreeMap::new();
        for page in self.visible_pages() {
            if let Some(origin) = origin_of(&page.url()) {
                shown.entry(origin).or_default().push(page);
            }
        }
        let (here, elsewhere): (Vec<_>, Vec<_>) =
            self.origins().into_iter().partition(|origin| shown.contains_key(origin));
        for origin in here {
            state.origins.push(read_shown(&shown[&origin], deadline).await?);
        }
        if !elsewhere.is_empty() {
            state.origins.extend(self.read_elsewhere(elsewhere, deadline).await?);
        }
        state.origins.retain(|origin| !origin.is_empty());
        state.origins.sort_by(|a, b| a.origin.cmp(&b.origin));
        Ok(state)
    }

    async fn read_elsewhere(
        self: &Arc<Self>,
        origins: Vec<String>,
        deadline: Deadline,
    ) -> Result<Vec<OriginState>, Error> {
        let page = self.open_hidden_page(deadline).await?;
        let found = read_origins(&page, origins, deadline).await;
        let closed = page.close(deadline).await;
        let mut found = found?;
        closed?;
        for origin in &mut found {
            // It belongs to a page that shows the origin, and this one was ours.
            origin.unsaved.push(SESSION_STORAGE_UNSEEN.to_owned());
        }
        Ok(found)
    }
}

/// Reads an origin that pages show; its session storage is that of the first page that has one.
async fn read_shown(pages: &[Arc<ChromiumPage>], deadline: Deadline) -> Result<OriginState, Error> {
    let mut found = OriginState::default();
    for page in pages {
        let read = read_origin(page, deadline).await?;
        if found.origin.is_empty() || !read.session_storage.is_empty() {
            found = read;
        }
        if !found.session_storage.is_empty() {
            break;
        }
    }
    Ok(found)
}

async fn read_origins(
    page: &Arc<ChromiumPage>,
    origins: Vec<String>,
    deadline: Deadline,
) -> Result<Vec<OriginState>, Error> {
    let mut blank = BlankPage::new(page, deadline).await?;
    let mut found = Vec::new();
    for origin in origins {
        blank.show(&origin, deadline).await?;
        found.push(read_origin(page, deadline).await?);
    }
    Ok(found)
}

async fn read_origin(page: &Arc<ChromiumPage>, deadline: Deadline) -> Result<OriginState, Error> {
    let main = page.main_frame();
    let call = Call::new(&main, "storage.read", &json!({ "max_bytes": LARGEST_ORIGIN })).repeatable();
    let page: &dyn Page = page.as_ref();
    let stored: Stored = page.call(call, deadline).await?;
    Ok(OriginState {
        origin: stored.origin,
        local_storage: stored.local_storage,
        session_storage: stored.session_storage,
        indexed_db: stored.indexed_db,
        unsaved: stored.unsaved,
    })
}
