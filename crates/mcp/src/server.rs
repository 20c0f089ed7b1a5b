//! A server: clients on one side, the sessions of a runtime on the other.

use std::sync::Arc;
use std::time::Duration;

use actions_runtime::{MapVersion, Runtime};

use crate::confirmations::Confirmations;
use crate::options::ServerOptions;
use crate::shared::{MakeSession, Shared};

/// How long requests that still use the runtime may take to let go of it.
const ENDING: Duration = Duration::from_secs(3);

/// An MCP server. Clones are the same server.
#[derive(Clone, Debug)]
pub struct Server {
    pub(crate) shared: Arc<Shared>,
}

impl Server {
    /// A server of maps. Nothing is opened before a client needs it. The engines of the maps need the confirmations, see
    /// [`Confirmations::guard`].
    pub fn new(
        runtime: Runtime,
        maps: &[MapVersion],
        make_session: MakeSession,
        confirmations: Confirmations,
        options: ServerOptions,
    ) -> Self {
        Self { shared: Shared::new(runtime, maps, make_session, confirmations, options) }
    }

    /// Uses other versions of the maps from now on, and tells clients that want to know.
    pub fn set_maps(&self, maps: &[MapVersion]) {
        self.shared.set_maps(maps);
    }

    /// Ends every call, and closes the sessions and browsers.
    pub async fn end(self) {
        let Some(runtime) = self.shared.take_runtime() else { return };
        // Ending a session cancels its calls, which lets go of the runtime.
        for name in runtime.names() {
            let _ = runtime.end(&name).await;
        }
        let mut runtime = runtime;
        let closing = async {
            loop {
                match Arc::try_unwrap(runtime) {
                    Ok(last) => return last.close().await,
                    Err(shared) => runtime = shared,
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        // The browsers end with the last user of the runtime in any case.
        let _ = tokio::time::timeout(ENDING, closing).await;
    }
}
