//! Events of a document that a caller wants to hear of, and what is heard.

use serde::Serialize;

/// An event of the main document that a caller wants to hear of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HeardEvent {
    /// The name of the event.
    pub event: String,
    /// It must come from an element that one of these matches, or from inside one; from anywhere if there are none.
    pub selectors: Vec<String>,
}

/// What the page said.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PageSignal {
    /// An event was sent.
    Event {
        /// The name of the event.
        event: String,
        /// Its detail as JSON text, or why there is none.
        detail: Result<String, DetailFault>,
        /// How many events were dropped before it, because the page sent too many.
        dropped: u64,
    },
    /// Something that was put on the page for a person was used.
    Attachment {
        /// Its id.
        id: String,
        /// What was done: `activated`, `opened` or `closed`.
        what: String,
    },
    /// Events were dropped because the page sent too many, and none has passed since that could say so.
    Dropped {
        /// How many.
        count: u64,
    },
}

/// Why the detail of an event is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DetailFault {
    /// It is longer than is read, in UTF-16 code units.
    TooLarge(u64),
    /// It cannot be written as JSON.
    Unreadable,
}
