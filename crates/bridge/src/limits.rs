//! The limits of the bridge. What clients send is bounded before it is read.

use std::time::Duration;

use actions_protocol::ByteLimit;

/// The largest item of a client.
pub(crate) const ITEM: ByteLimit = ByteLimit(4 * 1024 * 1024);

/// How many calls of one client may wait for one page or run on it, so that others find room.
pub(crate) const CALLS_ON_PAGE: usize = 64;

/// How many calls of all clients may wait for one page.
pub(crate) const CALLS_OF_PAGE: usize = 64 * CALLS_ON_PAGE;

/// How many calls of one client may wait or run.
pub(crate) const CALLS_OF_CLIENT: usize = 2_048;

/// How many bytes the calls of one client that wait or run may have.
pub(crate) const CALL_BYTES_OF_CLIENT: usize = 8 << 20;

/// How many call ids of a client are remembered, so that none is run twice.
pub(crate) const CALL_IDS: usize = 10_000;

/// How many bytes of answers are remembered for a client, to answer a repeated call.
pub(crate) const REMEMBERED_BYTES: usize = 16 << 20;

/// How many items may wait for a client that reads slowly. Heartbeats and progress are dropped long before.
pub(crate) const ITEMS_WAITING: usize = 8_192;

/// How many bytes may wait for a client that reads slowly.
pub(crate) const BYTES_WAITING: usize = 32 << 20;

/// Heartbeats and progress are dropped while more items than this wait.
pub(crate) const BUSY: usize = 256;

/// How long an answer is kept for a client that has gone.
pub(crate) const ANSWER_KEPT: Duration = Duration::from_secs(120);

/// How many clients with a name are remembered after they have gone.
pub(crate) const NAMED_CLIENTS: usize = 64;

/// How many messages in a row may be no items before the client is disconnected.
pub(crate) const BAD_ITEMS: usize = 100;

/// The time between two heartbeats.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(10);

/// How long a page rests after a call before its title and its states are looked at.
pub(crate) const REST: Duration = Duration::from_millis(150);

/// How long a page may take to tell its title or its states.
pub(crate) const LOOK: Duration = Duration::from_secs(2);

/// How long running calls may take to end when the bridge closes.
pub(crate) const ENDING: Duration = Duration::from_secs(5);
