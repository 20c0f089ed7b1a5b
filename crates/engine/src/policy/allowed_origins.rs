//! Where pages may go beyond the surfaces of the maps.

use std::collections::BTreeSet;

/// Where pages may go beyond the surfaces of the maps. The browser enforces it before a request is sent, so it is a
/// setting and not a question to the policy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedOrigins {
    /// More origins that pages may navigate to.
    pub origins: BTreeSet<String>,
    /// Whether every request of a page must stay on the allowed origins, not only its navigation. The context must have
    /// been opened with [`Engine::confinement`](crate::Engine::confinement) then.
    pub confine_subresources: bool,
}
