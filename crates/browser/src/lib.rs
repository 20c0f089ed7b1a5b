//! Driver ports, and Chromium behind them.
//!
//! [`Browser`], [`Context`], [`Page`] and [`Clock`] are the ports: `engine` and `primitives` see nothing else.
//! [`chromium`] launches or attaches to a real browser; with the feature `fake`, `fake` is a driver without one.
//!
//! ```no_run
//! use actions_browser::chromium::{self, LaunchOptions};
//! use actions_browser::{Browser, ContextOptions, Deadline, LoadState};
//! use std::time::Duration;
//!
//! # async fn example() -> Result<(), actions_browser::Error> {
//! let launched = chromium::launch(LaunchOptions::default()).await?;
//! let browser = launched.browser;
//! let deadline = Deadline::after(&*browser.clock(), Duration::from_secs(10));
//! let context = browser.new_context(ContextOptions::default(), deadline).await?;
//! let page = context.new_page(deadline).await?;
//! page.navigate("https://example.com", LoadState::Load, deadline).await?;
//! browser.close().await;
//! # Ok(())
//! # }
//! ```

#![cfg_attr(
    not(feature = "chromium"),
    allow(dead_code, unused_imports, reason = "another driver may not use every part")
)]

mod access;
#[cfg(feature = "chromium")]
mod cdp;
#[cfg(feature = "chromium")]
pub mod chromium;
mod clock;
mod confinement;
mod cut;
mod deadline;
mod dialog;
mod dialog_policy;
mod error;
#[cfg(feature = "fake")]
pub mod fake;
mod frame_id;
pub mod har;
mod json;
mod navigation;
mod no_page;
mod origin;
mod port;
mod proxy;
mod refused;
pub mod script;
mod steady;
mod storage_state;
mod viewport;

pub use access::{Access, ExtraHeader, HttpLogin, SecretText};
#[cfg(feature = "chromium")]
pub use cdp::{Pending, Session, Subscription, reads_message};
pub use clock::{Clock, SystemClock, TestClock};
pub use confinement::Confinement;
pub use deadline::Deadline;
pub use dialog::{AnsweredDialog, Dialog, DialogAnswer, DialogKind};
pub use dialog_policy::DialogPolicy;
pub use error::{Awaited, Error};
pub use frame_id::FrameId;
pub use har::{Archive, DirectAnswer, HarError, Recorder, Replay, ReplayMiss, Tolerance};
pub use navigation::{LoadState, Navigated, NavigationFailure, NavigationMark};
pub use no_page::NoPage;
pub use origin::origin_of;
pub use port::{
    Accessibility, AccessibleNode, Announcement, Browser, Call, Clipboard, ConsoleLevel, ConsoleMessage,
    Context, ContextEvent, ContextOptions, Counters, DetailFault, Dialogs, Download, DownloadPolicy,
    DownloadState, Drag, DragKind, Elements, FailedRequest, Frame, Frames, Geolocation, Handle, HeardEvent,
    ImageFormat, Input, Key, Lifecycle, Locale, Modifiers, MouseButton, Navigation, Offer, Page, PageEvent,
    PageSignal, PageTool, PageToolAnswer, PageTools, Permission, Pictures, Point, Rect, RequestFailure,
    Requests, Screenshot, Scripting, UncaughtException, UserInput,
};
pub use proxy::Proxy;
pub use refused::{Refused, WhyRefused};
pub use steady::Steady;
pub use storage_state::{Cookie, OriginState, PartitionKey, StorageItem, StorageState};
pub use viewport::Viewport;
