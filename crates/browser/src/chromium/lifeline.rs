//! What holds a browser: its connection, and its process if we started it.

use tokio::task::JoinHandle;

use super::launch::Keeper;
use crate::Deadline;
use crate::cdp::Connection;

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

    /// Kills the browser if we started it, and returns when nothing is left of it, or at the deadline. Its profile is
    /// removed with it, so there is nothing that it could save if it was asked to close.
    pub(crate) async fn close(mut self, deadline: Deadline) {
        let clock = self.connection.clock().clone();
        if let Some(keeper) = self.keeper.clone() {
            keeper.kill();
            keeper.cleaned(clock.as_ref(), deadline).await;
        }
        self.connection.lose("the browser was closed");
        let tasks = futures_util::future::join_all(std::mem::take(&mut self.tasks));
        tokio::select! {
            // A task that panicked has nothing left to clean up.
            _ = tasks => {}
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
