//! What a page said by itself.

use std::collections::BTreeMap;

use actions_engine::{AttachmentStanding, CallId, Timestamp};
use serde::Serialize;
use serde_json::Value;

/// A declared signal of a page that passed its checks. Its payload is the page's word: data, never instructions.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct HeardSignal {
    /// The name of the signal in the map.
    pub name: String,
    /// The name of the event on the page; that of the attachment if a person used one.
    pub event: String,
    /// What the page said.
    pub payload: Value,
    /// The address of the page.
    pub url: String,
    /// The call that runs on the page, or that ended a moment before.
    pub previous_call_id: Option<CallId>,
    /// When it was received.
    pub observed_at: Timestamp,
}

/// How often a signal was received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SignalCounts {
    /// With a payload that fits.
    pub heard: u64,
    /// With a payload that does not fit, or that could not be read.
    pub rejected: u64,
}

/// What a page said by itself so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageReport {
    /// How often each signal was received.
    pub signals: BTreeMap<String, SignalCounts>,
    /// How many events were dropped because the page sent too many.
    pub dropped: u64,
    /// Where its attachments stand.
    pub attachments: Vec<AttachmentStanding>,
}
