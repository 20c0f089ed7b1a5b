//! Restricts the origins that the pages of a context may use.

use std::collections::BTreeSet;

use crate::origin_of;

/// The origins that the pages of a context may use.
///
/// Documents of main frames, in pages and their popups, come only from allowed origins. A navigation or redirect to
/// another origin is blocked before its request is sent. Frames, images, scripts and other subresources are confined
/// only with [`Confinement::with_subresources`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confinement {
    origins: BTreeSet<String>,
    subresources: bool,
}

impl Confinement {
    /// Confines pages to these origins. Ignores everything that is not an http or https origin.
    pub fn to(origins: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let origins = origins.into_iter().filter_map(|origin| origin_of(origin.as_ref())).collect();
        Self { origins, subresources: false }
    }

    /// Confines all requests of a page: frames, scripts, fetches, sockets, workers, beacons.
    #[must_use]
    pub fn with_subresources(mut self) -> Self {
        self.subresources = true;
        self
    }

    /// Whether subresources are confined.
    pub fn confines_subresources(&self) -> bool {
        self.subresources
    }

    /// The allowed origins.
    pub fn origins(&self) -> impl Iterator<Item = &str> {
        self.origins.iter().map(String::as_str)
    }

    /// Whether a main frame may show the document of this URL.
    ///
    /// An empty page (`about:blank`) and the browser's error page are always allowed. A `blob:` belongs to the origin
    /// that created it. All other URLs without an http or https origin are refused, such as `data:`, `javascript:`,
    /// `file:` and the browser's own pages.
    ///
    /// ```
    /// use actions_browser::Confinement;
    /// let confined = Confinement::to(["https://example.com"]);
    /// assert!(confined.admits("https://example.com/a"));
    /// assert!(confined.admits("about:blank"));
    /// assert!(confined.admits("blob:https://example.com/1b4e28ba"));
    /// assert!(!confined.admits("https://example.com.evil.example/"));
    /// assert!(!confined.admits("https://example.com:8443/"));
    /// assert!(!confined.admits("data:text/html,<h1>x"));
    /// ```
    pub fn admits(&self, url: &str) -> bool {
        if let Some(origin) = origin_of(url) {
            return self.origins.contains(&origin);
        }
        if let Some(inner) = url.strip_prefix("blob:") {
            return origin_of(inner).is_some_and(|origin| self.origins.contains(&origin));
        }
        let place = url.split(['?', '#']).next().unwrap_or_default();
        matches!(place, "" | "about:blank" | "about:srcdoc" | "chrome-error://chromewebdata/")
    }
}
