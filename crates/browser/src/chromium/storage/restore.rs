//! Restores a storage state into a new context.

use std::sync::Arc;

use serde_json::{Value, json};

use super::blank_page::BlankPage;
use crate::chromium::context::ContextShared;
use crate::chromium::page::ChromiumPage;
use crate::{Call, Deadline, Error, Frames, Lifecycle, OriginState, Page, StorageState};

impl ContextShared {
    /// Puts back cookies, local storage and databases. Session storage belongs to a page, so every new page gets it.
    pub(crate) async fn restore_storage(
        self: &Arc<Self>,
        state: StorageState,
        deadline: Deadline,
    ) -> Result<(), Error> {
        self.put_cookies(&state.cookies, deadline).await?;
        let lasting: Vec<&OriginState> = state
            .origins
            .iter()
            .filter(|origin| !origin.local_storage.is_empty() || !origin.indexed_db.is_empty())
            .collect();
        if !lasting.is_empty() {
            let page = self.open_hidden_page(deadline).await?;
            let written = write_origins(&page, &lasting, deadline).await;
            let closed = page.close(deadline).await;
            written?;
            closed?;
        }
        state.origins.iter().for_each(|origin| self.visited(&format!("{}/", origin.origin)));
        self.keep_session_storage(state.origins);
        Ok(())
    }

    /// Gives a new page the session storage that was restored.
    pub(crate) async fn begin_session_storage(
        &self,
        page: &Arc<ChromiumPage>,
        deadline: Deadline,
    ) -> Result<(), Error> {
        let kept = self.kept_session_storage();
        if kept.is_empty() {
            return Ok(());
        }
        let mut blank = BlankPage::new(page, deadline).await?;
        for origin in kept {
            blank.show(&origin.origin, deadline).await?;
            write_origin(page, &json!({ "session_storage": origin.session_storage }), deadline).await?;
        }
        blank.end(deadline).await
    }
}

async fn write_origins(
    page: &Arc<ChromiumPage>,
    origins: &[&OriginState],
    deadline: Deadline,
) -> Result<(), Error> {
    let mut blank = BlankPage::new(page, deadline).await?;
    for origin in origins {
        let stored = json!({ "local_storage": origin.local_storage, "indexed_db": origin.indexed_db });
        blank.show(&origin.origin, deadline).await?;
        write_origin(page, &stored, deadline).await?;
    }
    Ok(())
}

async fn write_origin(page: &Arc<ChromiumPage>, stored: &Value, deadline: Deadline) -> Result<(), Error> {
    let main = page.main_frame();
    let page: &dyn Page = page.as_ref();
    page.call::<Value>(Call::new(&main, "storage.write", stored), deadline).await.map(drop)
}
