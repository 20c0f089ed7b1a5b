//! A fake browser and its contexts.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use tokio::sync::{broadcast, watch};

use super::FakePage;
use crate::har::Recorder;
use crate::{
    Browser, Clock, Confinement, Context, ContextEvent, ContextOptions, Deadline, Error, Frames, Lifecycle,
    Page, StorageState,
};

/// A browser that is not there. Its pages are fake pages, given out in the order in which they were put in.
pub struct FakeBrowser {
    clock: Arc<dyn Clock>,
    prepared: Arc<Mutex<Vec<Arc<FakePage>>>>,
    contexts: Mutex<Vec<Arc<FakeContext>>>,
    lost: watch::Sender<Option<Error>>,
}

impl FakeBrowser {
    /// A browser whose waits are measured by this clock.
    pub fn new(clock: Arc<dyn Clock>) -> Arc<Self> {
        Arc::new(Self {
            clock,
            prepared: Arc::default(),
            contexts: Mutex::default(),
            lost: watch::Sender::new(None),
        })
    }

    /// Puts in a page that the next `new_page` of any context gives out.
    pub fn prepare(&self, page: Arc<FakePage>) {
        lock(&self.prepared).push(page);
    }

    /// Loses the browser with everything in it.
    pub fn lose(&self, reason: &str) {
        self.end(Error::BrowserLost { reason: reason.to_owned() });
    }

    fn end(&self, error: Error) {
        for context in lock(&self.contexts).iter() {
            context.end(&error);
        }
        self.lost.send_replace(Some(error));
    }

    fn refuse_if_lost(&self) -> Result<(), Error> {
        self.lost.borrow().clone().map_or(Ok(()), Err)
    }
}

#[async_trait]
impl Browser for FakeBrowser {
    async fn new_context(
        &self,
        options: ContextOptions,
        _deadline: Deadline,
    ) -> Result<Arc<dyn Context>, Error> {
        self.refuse_if_lost()?;
        let context = Arc::new(FakeContext {
            clock: self.clock.clone(),
            prepared: self.prepared.clone(),
            pages: Mutex::default(),
            storage_state: Mutex::new(options.storage_state.unwrap_or_default()),
            events: broadcast::Sender::new(256),
            ended: Mutex::default(),
        });
        lock(&self.contexts).push(context.clone());
        Ok(context)
    }

    fn product(&self) -> String {
        "Fake/1.0".to_owned()
    }

    fn user_agent(&self) -> String {
        format!("Fake/1.0 actions/{}", env!("CARGO_PKG_VERSION"))
    }

    fn clock(&self) -> Arc<dyn Clock> {
        self.clock.clone()
    }

    async fn lost(&self) -> Error {
        let mut lost = self.lost.subscribe();
        let error = lost.wait_for(Option::is_some).await.ok().and_then(|error| error.clone());
        error.unwrap_or(Error::BrowserLost { reason: "the fake browser was dropped".to_owned() })
    }

    async fn close_by(&self, _deadline: Deadline) {
        self.end(Error::BrowserLost { reason: "the browser was closed".to_owned() });
    }
}

/// A context of a fake browser.
pub struct FakeContext {
    clock: Arc<dyn Clock>,
    prepared: Arc<Mutex<Vec<Arc<FakePage>>>>,
    pages: Mutex<Vec<Arc<FakePage>>>,
    storage_state: Mutex<StorageState>,
    events: broadcast::Sender<ContextEvent>,
    ended: Mutex<Option<Error>>,
}

impl FakeContext {
    fn end(&self, error: &Error) {
        *lock(&self.ended) = Some(error.clone());
        lock(&self.pages).drain(..).for_each(|page| page.end(error.clone()));
    }
}

#[async_trait]
impl Context for FakeContext {
    async fn new_page(&self, _deadline: Deadline) -> Result<Arc<dyn Page>, Error> {
        if let Some(error) = lock(&self.ended).clone() {
            return Err(error);
        }
        let prepared = {
            let mut prepared = lock(&self.prepared);
            (!prepared.is_empty()).then(|| prepared.remove(0))
        };
        let page = prepared.unwrap_or_else(|| FakePage::new(self.clock.clone()));
        lock(&self.pages).push(page.clone());
        // There may be no listener.
        let _ = self.events.send(ContextEvent::PageOpened { main_frame: page.main_frame() });
        Ok(page)
    }

    fn pages(&self) -> Vec<Arc<dyn Page>> {
        let pages = lock(&self.pages);
        let open = pages.iter().filter(|page| !page.is_closed()).cloned();
        open.map(|page| page as Arc<dyn Page>).collect()
    }

    fn events(&self) -> broadcast::Receiver<ContextEvent> {
        self.events.subscribe()
    }

    async fn confine(&self, _confinement: Confinement, _deadline: Deadline) -> Result<(), Error> {
        lock(&self.ended).clone().map_or(Ok(()), Err)
    }

    async fn record(&self, _recorder: Option<Arc<Recorder>>, _deadline: Deadline) -> Result<(), Error> {
        lock(&self.ended).clone().map_or(Ok(()), Err)
    }

    async fn storage_state(&self, _deadline: Deadline) -> Result<StorageState, Error> {
        if let Some(error) = lock(&self.ended).clone() {
            return Err(error);
        }
        Ok(lock(&self.storage_state).clone())
    }

    async fn close(&self, _deadline: Deadline) -> Result<(), Error> {
        self.end(&Error::PageClosed);
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
