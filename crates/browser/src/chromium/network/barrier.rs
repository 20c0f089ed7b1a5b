//! Blocks the traffic of a context that cannot be intercepted as requests.

use std::io;

use super::dead_end::DeadEnd;
use super::gatekeeper::Gatekeeper;
use crate::chromium::launch::Reach;
use crate::{ContextOptions, Error, Proxy};

/// A proxy of a context that blocks everything, or everything except allowed origins. Dropping it ends the proxy.
pub(crate) enum Barrier {
    /// Blocks everything: the context replays a recording.
    Closed(DeadEnd),
    /// Lets connections to the allowed origins through.
    Guarded(Gatekeeper),
}

impl Barrier {
    /// Creates the barrier that a context needs, if any. Fails if the browser could bypass it.
    pub(crate) async fn of(options: &ContextOptions, reach: Reach) -> Result<Option<Self>, Error> {
        let failed = |error: io::Error| Error::ConfinementImpossible { reason: error.to_string() };
        let needed = Self::needed(options);
        if reach < needed {
            let reason = format!(
                "the browser may send packets and look up names without using a proxy; launch it with \
                 `Reach::{needed:?}`, or set `reach` of `AttachOptions` to vouch for a running browser"
            );
            return Err(Error::ConfinementImpossible { reason });
        }
        if options.replay.is_some() {
            return DeadEnd::new().map(|end| Some(Barrier::Closed(end))).map_err(failed);
        }
        let Some(confinement) =
            options.confinement.as_ref().filter(|confinement| confinement.confines_subresources())
        else {
            return Ok(None);
        };
        if options.proxy.is_some() {
            let reason = "confining subresources needs the proxy of the context, but the context has its own"
                .to_owned();
            return Err(Error::ConfinementImpossible { reason });
        }
        Gatekeeper::start(confinement.clone())
            .await
            .map(|keeper| Some(Barrier::Guarded(keeper)))
            .map_err(failed)
    }

    /// The restriction that a browser needs so that nothing bypasses the barrier of a context.
    fn needed(options: &ContextOptions) -> Reach {
        let confinement = options.confinement.as_ref();
        if options.replay.is_some() {
            Reach::Nowhere
        } else if confinement.is_some_and(crate::Confinement::confines_subresources) {
            Reach::Proxied
        } else {
            Reach::Open
        }
    }

    /// The proxy setting for the browser. Loopback addresses use the proxy too.
    pub(crate) fn proxy(&self) -> Proxy {
        let address = match self {
            Barrier::Closed(end) => end.address(),
            Barrier::Guarded(keeper) => keeper.address(),
        };
        Proxy { server: format!("http://{address}"), bypass: Some("<-loopback>".to_owned()) }
    }
}
