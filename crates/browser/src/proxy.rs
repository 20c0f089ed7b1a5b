//! A proxy.

/// A proxy for the browser's traffic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proxy {
    /// The proxy as Chromium understands it, such as `http://127.0.0.1:8080` or `socks5://host:1080`.
    pub server: String,
    /// Hosts that are reached directly, in Chromium's syntax; `<-loopback>` sends even loopback through the proxy.
    pub bypass: Option<String>,
}
