//! A driver without a browser: tests say how its pages answer, and see what was done to them.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! use actions_browser::fake::{FakePage, Performed};
//! use actions_browser::{Call, Deadline, Page, TestClock};
//! use serde_json::{Value, json};
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! let clock = Arc::new(TestClock::new());
//! let page = FakePage::new(clock.clone());
//! page.on_call("page.info", |_args| json!({ "ok": { "title": "Maps" } }));
//!
//! let deadline = Deadline::after(&*clock, Duration::from_secs(1));
//! let port: Arc<dyn Page> = page.clone();
//! let main = port.main_frame();
//! let info: Value = port.call(Call::new(&main, "page.info", &json!({})), deadline).await.unwrap();
//! assert_eq!(info["title"], "Maps");
//! assert!(matches!(&page.performed()[0], Performed::Call { function, .. } if function == "page.info"));
//! # });
//! ```

mod browser;
mod page;
mod performed;
mod port;

pub use browser::{FakeBrowser, FakeContext};
pub use page::{Behaviour, FakePage};
pub use performed::Performed;
