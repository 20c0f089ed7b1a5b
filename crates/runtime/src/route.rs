//! Chooses a page of a session by its number, its id, its address or its title.

use std::time::Duration;

use actions_engine::browser::Deadline;
use actions_engine::{CallError, ErrorCode, PageId, Session, SessionPage};
use futures_util::future::{join_all, select_all};
use serde_json::json;

/// How a client names a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Route {
    /// The current page.
    #[default]
    Current,
    /// The page with this number.
    Page(PageId),
    /// The page with this runtime id or number, or else the one page whose address or title contains the text, whatever its
    /// case.
    Matching(String),
}

impl Route {
    /// Reads what a person typed: a number, a runtime id, or a part of an address or title.
    pub fn matching(text: impl Into<String>) -> Self {
        Route::Matching(text.into())
    }
}

/// How long a page may take to say its title.
const TITLE: Duration = Duration::from_secs(2);

/// How long a page that has just been opened may take to show its first document.
const FIRST_DOCUMENT: Duration = Duration::from_secs(5);

/// Whether a page has shown no document yet.
fn is_blank(url: &str) -> bool {
    url.is_empty() || url == "about:blank"
}

/// The titles of pages. A page that does not answer has none.
pub(crate) async fn titles(session: &Session, pages: &[SessionPage]) -> Vec<String> {
    let clock = session.stage().clock();
    let deadline = Deadline::after(&*clock, TITLE);
    join_all(pages.iter().map(|page| async { page.page.title(deadline).await.unwrap_or_default() })).await
}

/// The number of the page that a route means; `None` for the current page.
pub(crate) async fn resolve(session: &Session, route: &Route) -> Result<Option<PageId>, CallError> {
    let text = match route {
        Route::Current => return Ok(None),
        Route::Page(id) => return Ok(Some(*id)),
        Route::Matching(text) => text,
    };
    let pages = session.pages();
    let exact = |page: &&SessionPage| page.runtime_id == *text || page.id.to_string() == *text;
    if let Some(page) = pages.iter().find(exact) {
        return Ok(Some(page.id));
    }
    let wanted = text.to_lowercase();
    let clock = session.stage().clock();
    let end = clock.now() + FIRST_DOCUMENT;
    let (pages, titles, found) = loop {
        let pages = session.pages();
        // Subscribed before they are looked at, so that no document is missed.
        let blank: Vec<_> = pages.iter().filter(|page| is_blank(&page.page.url())).collect();
        let coming: Vec<_> = blank.iter().map(|page| page.page.events()).collect();
        let titles = titles(session, &pages).await;
        let matches = |at: &usize| {
            let url = pages[*at].page.url().to_lowercase();
            url.contains(&wanted) || titles[*at].to_lowercase().contains(&wanted)
        };
        let found: Vec<usize> = (0..pages.len()).filter(matches).collect();
        if !found.is_empty() || coming.is_empty() || clock.now() >= end {
            break (pages, titles, found);
        }
        // A page that has just been opened may be the one that is meant.
        let mut coming = coming;
        let changed = select_all(coming.iter_mut().map(|events| Box::pin(events.recv())));
        tokio::select! {
            _ = changed => {}
            () = clock.sleep_until(end) => {}
        }
    };
    let found: Vec<_> = found.into_iter().map(|at| (&pages[at], &titles[at])).collect();
    let error = match found.as_slice() {
        [(page, _)] => return Ok(Some(page.id)),
        [] => CallError::new(ErrorCode::RuntimeNotFound, format!("no page of the session matches `{text}`")),
        several => {
            let message = format!("`{text}` matches {} pages of the session", several.len());
            CallError::new(ErrorCode::AmbiguousRuntime, message)
        }
    };
    let shown = |(page, title): (&SessionPage, &String)| json!({ "runtime_id": page.runtime_id, "url": page.page.url(), "title": title });
    let candidates: Vec<_> = match found.is_empty() {
        true => pages.iter().zip(&titles).map(shown).collect(),
        false => found.into_iter().map(shown).collect(),
    };
    let listed: Vec<String> = candidates
        .iter()
        .map(|page| format!("{} ({})", text_of(&page["runtime_id"]), text_of(&page["url"])))
        .collect();
    let hint = format!("name one of the pages: {}", listed.join(", "));
    Err(error.with_evidence("pages", candidates).with_evidence("hint", hint))
}

fn text_of(value: &serde_json::Value) -> &str {
    value.as_str().unwrap_or_default()
}
