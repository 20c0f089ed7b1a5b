//! The ports: what the engine and the primitives see of a browser.

mod browser;
mod call;
mod context;
mod download;
mod event;
mod frame;
mod input;
mod page;
mod point;
mod screenshot;

pub use browser::Browser;
pub use call::{Call, Handle};
pub use context::{Context, ContextEvent, ContextOptions, Locale};
pub use download::{Download, DownloadPolicy, DownloadState};
pub use event::PageEvent;
pub use frame::Frame;
pub use input::{Drag, DragKind, Input, Key, Modifiers, MouseButton};
pub use page::Page;
pub use point::Point;
pub use screenshot::{ImageFormat, Rect, Screenshot};
