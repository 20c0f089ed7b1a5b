//! Where pages may go.

use std::collections::BTreeSet;

use crate::origin_of;

/// Where the pages of a context may go.
///
/// Documents of main frames, in pages and in the pages they open, come from the allowed origins only; what would leave
/// them, by a redirect too, is stopped before the request is sent. Frames, images, scripts and the like are not
/// confined, unless `subresources` says so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confinement {
    origins: BTreeSet<String>,
    subresources: bool,
}

impl Confinement {
    /// Confines pages to these origins; what is not an http or https origin is left out.
    pub fn to(origins: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let origins = origins.into_iter().filter_map(|origin| origin_of(origin.as_ref())).collect();
        Self { origins, subresources: false }
    }

    /// Confines everything a page may ask for: frames, scripts, fetches, sockets, workers, beacons.
    #[must_use]
    pub fn with_subresources(mut self) -> Self {
        self.subresources = true;
        self
    }

    /// Whether everything is confined.
    pub fn confines_subresources(&self) -> bool {
        self.subresources
    }

    /// The allowed origins.
    pub fn origins(&self) -> impl Iterator<Item = &str> {
        self.origins.iter().map(String::as_str)
    }

    /// Whether a main frame may show a document of this address.
    ///
    /// An empty page (`about:blank`) and the browser's own error page are nowhere, so nothing is left for them. A
    /// `blob:` belongs to the origin that made it. Everything else without an origin is refused: `data:` and
    /// `javascript:` are content that nobody serves, `file:` and the browser's own pages are not the site's.
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
