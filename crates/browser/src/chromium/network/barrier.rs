//! What stops the traffic that cannot be made to wait for us.

use std::io;

use super::dead_end::DeadEnd;
use super::gatekeeper::Gatekeeper;
use crate::chromium::launch::Reach;
use crate::{ContextOptions, Error, Proxy};

/// A proxy of a context that lets through nothing, or only what is allowed. It stands as long as this value lives.
pub(crate) enum Barrier {
    /// Nothing gets out: the network is a recording.
    Closed(DeadEnd),
    /// Only the allowed origins are reached.
    Guarded(Gatekeeper),
}

impl Barrier {
    /// The barrier a context needs, if any. A browser that reaches around it makes it worthless.
    pub(crate) async fn of(options: &ContextOptions, reach: Reach) -> Result<Option<Self>, Error> {
        let failed = |error: io::Error| Error::ConfinementImpossible { reason: error.to_string() };
        let needed = Self::needed(options);
        if reach < needed {
            let reason = format!(
                "the browser may send packets and look up names past every proxy; launch it with `Reach::{needed:?}`, \
                 or vouch for one that runs already by the `reach` of `AttachOptions`"
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
            let reason =
                "everything a page asks for passes a proxy of ours then, and the context has another"
                    .to_owned();
            return Err(Error::ConfinementImpossible { reason });
        }
        Gatekeeper::start(confinement.clone())
            .await
            .map(|keeper| Some(Barrier::Guarded(keeper)))
            .map_err(failed)
    }

    /// How far a browser may reach at most so that nothing gets around the barrier of a context.
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

    /// The barrier as the browser understands it. Not even loopback goes around it.
    pub(crate) fn proxy(&self) -> Proxy {
        let address = match self {
            Barrier::Closed(end) => end.address(),
            Barrier::Guarded(keeper) => keeper.address(),
        };
        Proxy { server: format!("http://{address}"), bypass: Some("<-loopback>".to_owned()) }
    }
}
