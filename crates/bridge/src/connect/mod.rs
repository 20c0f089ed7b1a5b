//! Dials out to a bridge and behaves as its runtime: announces pages, answers its calls and probes, and comes back when the
//! connection breaks.
//!
//! The peer is the public reference bridge of actions.json. It speaks more items than the protocol names; `inbound.rs`
//! reads them and `outbound.rs` writes what it expects.

mod dial;
mod inbound;
mod maps;
mod outbound;

use std::sync::Arc;
use std::time::Duration;

use actions_doors::Reporter;
use actions_engine::CancellationToken;
use actions_runtime::MakeEngine;

use crate::bridge::Bridge;
use crate::connection::Connection;

use dial::{Address, DialError, dial};
use maps::PeerMaps;

/// The name of the one client that a bridge dials out for. Clients that connect cannot take it.
const NAME: &str = "/connect";

/// The longest pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// The pause after the first failed attempt is twice this.
const SHORTEST_PAUSE: Duration = Duration::from_millis(500);

/// An address to dial, and how the maps that come from there are run.
pub struct Connecting {
    address: Address,
    maps: Arc<PeerMaps>,
    reporter: Reporter,
}

/// Why an address cannot be dialled.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct AddressError(String);

impl Connecting {
    /// Will dial this address, such as `ws://127.0.0.1:17345/extension`. Maps that arrive with calls get their limits and
    /// policy from `make_engine`.
    pub fn to(url: &str, make_engine: MakeEngine) -> Result<Self, AddressError> {
        let address = Address::parse(url).map_err(AddressError)?;
        Ok(Self { address, maps: Arc::new(PeerMaps::new(make_engine)), reporter: Arc::new(|_| {}) })
    }

    /// Reports when the connection opens and breaks.
    #[must_use]
    pub fn reporting(mut self, reporter: Reporter) -> Self {
        self.reporter = reporter;
        self
    }

    /// Serves the peer, dialling again and again, until `stop` is cancelled.
    pub async fn serve(self, bridge: &Bridge, stop: &CancellationToken) {
        let mut failed: u32 = 0;
        loop {
            let attempt = async {
                let stream = dial(&self.address).await?;
                (self.reporter)(&format!("connected to {}", self.address.shown()));
                let client = bridge.shared.clients().client(Some(NAME.to_owned()), false);
                let connection = Connection::begin(Arc::clone(&bridge.shared), client);
                outbound::converse(stream, bridge, &connection, &self.maps).await;
                Ok::<(), DialError>(())
            };
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                attempted = attempt => match attempted {
                    Ok(()) => {
                        failed = 0;
                        (self.reporter)(&format!("the connection to {} broke off; dialling again", self.address.shown()));
                    }
                    Err(error) => {
                        if failed == 0 {
                            (self.reporter)(&format!("{} cannot be reached ({error}); dialling again", self.address.shown()));
                        }
                        failed = failed.saturating_add(1);
                    }
                },
            }
            tokio::select! {
                () = stop.cancelled() => break,
                () = tokio::time::sleep(pause(failed)) => {}
            }
        }
        bridge.close().await;
    }
}

/// The pause before the next attempt, after so many that failed in a row.
fn pause(failed: u32) -> Duration {
    LONGEST_PAUSE.min(SHORTEST_PAUSE * 2_u32.pow(failed.min(4)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_five_seconds() {
        let pauses: Vec<u128> = (0..7).map(|failed| pause(failed).as_millis()).collect();
        assert_eq!(pauses, [500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
    }
}
