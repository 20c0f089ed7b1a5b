//! Where pages may go beyond the surfaces of the maps.

use std::collections::BTreeSet;

/// Where pages may go beyond the surfaces of the maps. The browser enforces it before a request is sent, so it is a
/// setting and not a question to the policy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AllowedOrigins {
    /// More origins that pages may navigate to.
    pub origins: BTreeSet<String>,
    /// Whether every request of a page must stay on the allowed origins, not only its navigation. The context must have
    /// been opened with [`Engine::confinement`](crate::Engine::confinement) then.
    pub confine_subresources: bool,
}

impl AllowedOrigins {
    /// Also allows navigation to these origins.
    #[must_use]
    pub fn allow(mut self, origins: impl IntoIterator<Item = String>) -> Self {
        self.origins.extend(origins);
        self
    }

    /// Sets whether every request of a page must stay on the allowed origins.
    #[must_use]
    pub fn confine_subresources(mut self, confine: bool) -> Self {
        self.confine_subresources = confine;
        self
    }
}
