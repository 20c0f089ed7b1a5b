//! What the caller wants of an import.

use actions_manifest::Profile;

use crate::classify::System;

/// What the caller wants of an import.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// The system that the document must be of; its content decides if absent.
    pub system: Option<System>,
    /// The prefix of the names of the tools; the host of the site if absent.
    pub namespace: Option<String>,
    /// How strictly the document is read.
    pub profile: Profile,
    /// Whether pages or requests are preferred where an action allows both.
    pub prefer: Option<Prefer>,
    /// Whether a document is used that an intermediary made.
    pub allow_synthetic: bool,
    /// Whether a result that does not fit what the site declares is an error.
    pub strict_results: bool,
}

impl Default for Wishes {
    fn default() -> Self {
        Self {
            system: None,
            namespace: None,
            profile: Profile::Lenient,
            prefer: None,
            allow_synthetic: false,
            strict_results: false,
        }
    }
}

/// How an action is called if it can be called in both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// By a request.
    Http,
    /// In the page.
    Browser,
}
