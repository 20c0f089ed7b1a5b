//! Markers: places on a page that projections named, and how to get there.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use actions_browser::{FrameId, Page, PageEvent};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::TryRecvError;

/// A place on a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Marker {
    /// Its id.
    pub id: String,
    /// `cursor` for a place in text, `pointer` for a place to point at.
    #[serde(rename = "type")]
    pub kind: String,
    /// The primitives that lead there.
    pub recipe: Vec<RecipeStep>,
    /// Where it is before the recipe ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Value>,
}

/// One primitive of a recipe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecipeStep {
    /// Its name.
    pub primitive: String,
    /// Its arguments.
    pub args: Map<String, Value>,
}

/// The markers of the documents that the pages of a session show now.
#[derive(Debug, Default)]
pub struct Markers {
    registered: Mutex<Vec<Registered>>,
}

/// The markers that one projection found on one page.
#[derive(Debug)]
struct Registered {
    page: FrameId,
    projection: String,
    markers: Vec<Marker>,
    /// What has happened to the page since the projection was read.
    events: Receiver<PageEvent>,
}

impl Markers {
    /// Registers the markers of a projection in the place of those it registered before. `events` must have been
    /// subscribed to before the projection was read: the markers are forgotten when the page has shown another
    /// document since.
    pub fn register(
        &self,
        page: &dyn Page,
        events: Receiver<PageEvent>,
        projection: &str,
        markers: Vec<Marker>,
    ) {
        let page = page.main_frame();
        let mut registered = self.registered.lock().unwrap_or_else(PoisonError::into_inner);
        registered.retain(|known| known.page != page || known.projection != projection);
        registered.push(Registered { page, projection: projection.to_owned(), markers, events });
    }

    /// The markers of the document that a page shows, by id. Of two projections that use the same id, the one that was
    /// read last is meant.
    pub(crate) fn of(&self, page: &dyn Page) -> BTreeMap<String, Marker> {
        let page = page.main_frame();
        let mut registered = self.registered.lock().unwrap_or_else(PoisonError::into_inner);
        registered.retain_mut(|known| !known.is_stale());
        let here = registered.iter().filter(|known| known.page == page);
        let markers = here.flat_map(|known| &known.markers);
        markers.map(|marker| (marker.id.clone(), marker.clone())).collect()
    }
}

impl Registered {
    /// Whether the page has shown another document since the projection was read, or may have.
    fn is_stale(&mut self) -> bool {
        loop {
            match self.events.try_recv() {
                Ok(PageEvent::Navigated(to)) if to.frame == self.page && !to.same_document => return true,
                Ok(_) => {}
                Err(TryRecvError::Empty) => return false,
                Err(TryRecvError::Lagged(_) | TryRecvError::Closed) => return true,
            }
        }
    }
}
