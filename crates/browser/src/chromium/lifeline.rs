//! What holds a browser: its connection, and its process if we started it.

use std::time::Duration;

use chromiumoxide_cdp::cdp::browser_protocol::browser::CloseParams;
use tokio::task::JoinHandle;

use super::launch::Keeper;
use crate::Deadline;
use crate::cdp::Connection;

/// How long the browser may take to close by itself before it is killed.
const GRACE: Duration = Duration::from_secs(3);

/// Holds a browser. Dropping it ends the connection and, if we started the browser, kills it; nothing blocks.
pub(crate) struct Lifeline {
    connection: Connection,
    tasks: Vec<JoinHandle<()>>,
    keeper: Option<Keeper>,
}

impl Lifeline {
    pub(crate) fn new(connection: Connection, tasks: Vec<JoinHandle<()>>, keeper: Option<Keeper>) -> Self {
        Self { connection, tasks, keeper }
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    pub(crate) fn process_id(&self) -> Option<u32> {
        self.keeper.as_ref().and_then(Keeper::process_id)
    }

    /// Ends the browser in good order: asks it to close, kills it if it does not, and returns when nothing is left.
    pub(crate) async fn close(mut self) {
        if let Some(keeper) = self.keeper.clone() {
            self.ask_to_close(&keeper).await;
            keeper.kill();
            keeper.cleaned(self.connection.clock().as_ref()).await;
        }
        self.connection.lose("the browser was closed");
        for task in std::mem::take(&mut self.tasks) {
            // A task that panicked has nothing left to clean up.
            let _ = task.await;
        }
    }

    async fn ask_to_close(&self, keeper: &Keeper) {
        let Ok(browser) = self.connection.browser() else { return };
        let clock = self.connection.clock();
        let deadline = Deadline::after(clock.as_ref(), GRACE);
        // The browser may be gone before it has answered: its exit is the answer.
        let _closing = browser.send_uncounted(CloseParams {}, deadline);
        tokio::select! {
            _ = keeper.exited() => {}
            () = clock.sleep_until(deadline.at()) => {}
        }
    }
}

impl Drop for Lifeline {
    fn drop(&mut self) {
        self.connection.lose("the browser was dropped");
        if let Some(keeper) = &self.keeper {
            keeper.kill();
        }
        // The tasks end by themselves now that the connection is lost.
    }
}
