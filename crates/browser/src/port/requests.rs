//! The requests of a page that were stopped before they left the machine.

use async_trait::async_trait;

use crate::{Deadline, Error, Refused};

/// The requests of a page that were stopped before they left the machine.
#[async_trait]
pub trait Requests: Send + Sync {
    /// Removes and returns the requests, of this page and of the pages it opened, that were stopped since the last
    /// call.
    fn take_refused(&self) -> Vec<Refused>;

    /// Waits until the driver knows everything that input has triggered so far: the navigation the page has requested
    /// ([`navigating_to`](super::Navigation::navigating_to)) and the requests that were stopped
    /// ([`take_refused`](Self::take_refused)).
    ///
    /// It costs at most one round trip, and none after a gesture whose aftermath the page reports by itself
    /// ([`Call::hearing_aftermath`](super::Call::hearing_aftermath)).
    async fn catch_up(&self, deadline: Deadline) -> Result<(), Error>;
}
