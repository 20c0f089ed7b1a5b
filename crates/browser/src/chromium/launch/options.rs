//! How a browser is to be launched.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::{Clock, Proxy, SystemClock, Viewport};

/// Whether Chromium's sandbox protects the machine from the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sandbox {
    /// On, unless we run as root or the machine cannot provide it; then a [`LaunchNote`] says so.
    #[default]
    Auto,
    /// On; if it cannot work, the launch fails.
    On,
    /// Off.
    Off,
}

/// How far the browser itself reaches, beside what its pages ask for over HTTP; the nearer, the greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// As far as any browser.
    #[default]
    Open,
    /// Only through a proxy: no UDP for calls between browsers, and no name is looked up but that of a proxy. For
    /// contexts that confine everything.
    Proxied,
    /// Nowhere: no UDP, and no name is looked up. For contexts whose network is a recording.
    Nowhere,
}

/// How a browser is to be launched.
#[derive(Clone, Debug)]
pub struct LaunchOptions {
    /// The program; looked for when absent.
    pub executable: Option<PathBuf>,
    /// Whether windows are shown.
    pub headed: bool,
    /// The sandbox.
    pub sandbox: Sandbox,
    /// The size of windows, and of the viewport of pages whose context does not say otherwise.
    pub viewport: Viewport,
    /// The proxy of the whole browser; a context may have its own.
    pub proxy: Option<Proxy>,
    /// The language of the browser, such as `de-DE`; contexts may have their own.
    pub locale: Option<String>,
    /// How far the browser itself reaches.
    pub reach: Reach,
    /// More flags, after ours.
    pub extra_args: Vec<String>,
    /// How long the start may take.
    pub timeout: Duration,
    /// Where profile folders are made; the system's temporary folder when absent.
    pub profile_root: Option<PathBuf>,
    /// The clock of every deadline.
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

/// Something about the launch that a person should be told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchNote {
    /// The sandbox is off because root cannot use it.
    #[error("Chromium's sandbox is off because we run as root")]
    SandboxOffForRoot,
    /// The sandbox is off because the machine cannot provide it.
    #[error(
        "Chromium's sandbox is off because it cannot work here: there are neither user namespaces nor a setuid helper"
    )]
    SandboxUnusable,
}
