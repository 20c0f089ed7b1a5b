//! The options for launching a browser.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::{Clock, Proxy, SystemClock, Viewport};

/// Whether Chromium runs with its sandbox, which protects the machine from pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sandbox {
    /// On, unless this process runs as root or the machine does not support it; then a [`LaunchNote`] reports it.
    #[default]
    Auto,
    /// On; the launch fails if the machine does not support it.
    On,
    /// Off.
    Off,
}

/// What the browser can reach besides the HTTP requests of its pages. Variants are ordered from least to most
/// restricted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// No restriction.
    #[default]
    Open,
    /// Only a proxy: no WebRTC over UDP, and no name lookups except for the proxy itself. For contexts that confine
    /// subresources.
    Proxied,
    /// Nothing: no WebRTC over UDP and no name lookups. For contexts that replay a recording.
    Nowhere,
}

/// Options for launching a browser.
#[derive(Clone, Debug)]
pub struct LaunchOptions {
    /// The executable; [`find`](super::find) chooses one if absent.
    pub executable: Option<PathBuf>,
    /// Whether to show windows.
    pub headed: bool,
    /// Whether to use the sandbox.
    pub sandbox: Sandbox,
    /// The size of windows, and the viewport of pages whose context sets none.
    pub viewport: Viewport,
    /// The proxy of the browser; a context may have its own.
    pub proxy: Option<Proxy>,
    /// The language of the browser, such as `de-DE`; contexts may have their own.
    pub locale: Option<String>,
    /// What the browser can reach.
    pub reach: Reach,
    /// Additional flags, after ours.
    pub extra_args: Vec<String>,
    /// The time limit for the launch.
    pub timeout: Duration,
    /// Where profile folders are created; the system's temporary folder if absent.
    pub profile_root: Option<PathBuf>,
    /// The clock that measures every deadline.
    pub clock: Arc<dyn Clock>,
}

impl Default for LaunchOptions {
    fn default() -> Self {
        Self {
            executable: None,
            headed: false,
            sandbox: Sandbox::Auto,
            viewport: Viewport::default(),
            proxy: None,
            locale: None,
            reach: Reach::Open,
            extra_args: Vec::new(),
            timeout: Duration::from_secs(30),
            profile_root: None,
            clock: Arc::new(SystemClock),
        }
    }
}

/// A note about the launch for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchNote {
    /// The sandbox is off because root cannot use it.
    #[error("Chromium's sandbox is off because this process runs as root")]
    SandboxOffForRoot,
    /// The sandbox is off because the machine does not support it.
    #[error(
        "Chromium's sandbox is off because this machine has neither user namespaces nor a setuid helper for it"
    )]
    SandboxUnusable,
}
