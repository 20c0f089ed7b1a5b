//! The ports: everything the engine and the primitives see of a browser.
//!
//! [`Browser`] opens a [`Context`], a context opens pages, and a [`Page`] is the sum of small traits, each in its own
//! file. A port knows nothing of the DevTools protocol. `chromium` and `fake` implement the ports.

mod accessibility;
mod browser;
mod call;
mod clipboard;
mod context;
mod counters;
mod diagnostics;
mod dialogs;
mod download;
mod elements;
mod event;
mod frame;
mod frames;
mod input;
mod lifecycle;
mod navigation;
mod offer;
mod page;
mod page_tools;
mod pictures;
mod point;
mod requests;
mod screenshot;
mod scripting;
mod signal;
mod user_input;

pub use accessibility::{Accessibility, AccessibleNode, Announcement};
pub use browser::Browser;
pub use call::{Call, Handle};
pub use clipboard::Clipboard;
pub use context::{Context, ContextEvent, ContextOptions, Geolocation, Locale, Permission};
pub use counters::Counters;
pub use diagnostics::{ConsoleLevel, ConsoleMessage, FailedRequest, RequestFailure, UncaughtException};
pub use dialogs::Dialogs;
pub use download::{Download, DownloadPolicy, DownloadState};
pub use elements::Elements;
pub use event::PageEvent;
pub use frame::Frame;
pub use frames::Frames;
pub use input::{Drag, DragKind, Input, Key, Modifiers, MouseButton};
pub use lifecycle::Lifecycle;
pub use navigation::Navigation;
pub use offer::Offer;
pub use page::Page;
pub use page_tools::{PageTool, PageToolAnswer, PageTools};
pub use pictures::Pictures;
pub use point::Point;
pub use requests::Requests;
pub use screenshot::{ImageFormat, Rect, Screenshot};
pub use scripting::Scripting;
pub use signal::{DetailFault, HeardEvent, PageSignal};
pub use user_input::UserInput;
