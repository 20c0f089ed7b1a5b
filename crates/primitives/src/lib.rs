//! The behaviour of each primitive, written against the ports of the driver.
//!
//! A primitive `locator.text_content` is four files: `primitives/locator/text_content.json` declares its interface,
//! `src/locator/text_content.rs` here performs it, `js/locator/text_content.js` of the page script reads the page, and
//! `fixtures/primitives/locator/text_content/` tests it. Its row in `table/rows.rs` joins them.

mod a11y;
mod acted_on;
mod begun;
mod bridge;
mod browser;
mod clipboard;
mod cursor {
    pub(crate) mod move_to;
}
mod debug;
mod dialog;
mod dom;
mod failure;
mod flow {
    pub(crate) mod assert;
}
mod form;
mod frame_path;
mod gesture;
mod http;
mod keyboard;
mod loading;
mod locate;
mod locator;
mod marker {
    pub(crate) mod query;
    pub(crate) mod resolve;
}
mod matched;
mod matrix;
mod modifiers;
mod observe;
mod outward;
mod overlay;
mod page_call;
mod patience;
mod perform;
mod pointer;
mod recognise;
mod runtime;
mod scene;
mod services;
mod stage;
mod storage {
    mod front_matter;
    pub(crate) mod import_bundle;
    pub(crate) mod list;
    pub(crate) mod read_file;
    pub(crate) mod sync;
}
mod table;
mod task {
    pub(crate) mod add;
    pub(crate) mod clear;
    pub(crate) mod complete;
    pub(crate) mod list;
    pub(crate) mod next;
}
mod template;
mod text;
mod transfer {
    pub(crate) mod clear;
    mod find;
    pub(crate) mod insert;
    pub(crate) mod read;
    pub(crate) mod write;
}
mod viewport;
mod wab {
    pub(crate) mod command;
}
mod webmcp;

pub use dom::extract::{Extracted, extract};
pub use failure::Failure;
pub use locate::Locator;
pub use observe::{Found, Tally, count, page_change, tally};
pub use perform::{check, complete, perform};
pub use recognise::{
    Area, Asked, Candidate, Fingerprint, PageFacts, Sighting, Wall, candidates, page_facts, sightings,
};
pub use services::{
    AgentEvents, Announcing, BundleEntry, BundleFolder, BundleStorage, Downloads, History, Host, HostSlot,
    HostedAgent, HttpAuth, HttpCall, HttpCaller, HttpReply, MapFile, Marker, Markers, Memory, MessageMode,
    Pacing, PayloadLimit, ProcessAgent, RecipeStep, Services, SessionLog, SessionTitle, Synced, Tab, Tabs,
    Tasks, Transfers, Uploads, WabAuth, WabCall, WabCaller, WabPage, WabPageAnswer, WabPlaces, WabReply,
    WabTransport,
};
pub use stage::{DialogGuard, Permits, Stage};
pub use table::performed;
pub use webmcp::{ListedPageTool, page_tools};
