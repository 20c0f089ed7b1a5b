//! What a server offers, and how it answers.

use std::path::PathBuf;

/// Which tools are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Offer {
    /// Every tool of the maps, with `actions_site` and `actions_page`.
    All,
    /// For clients that are notified when the list changes, the tools that apply to the current page; for others, every tool.
    #[default]
    Page,
    /// Only `actions_site` and `actions_page`.
    Site,
}

/// What the text of a result has, beside its structured content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextStyle {
    /// The value if it is small, else its outline.
    #[default]
    Short,
    /// The whole value, for clients that show models no structured content.
    Full,
}

/// What a server offers, and how it answers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ServerOptions {
    /// Which tools are listed.
    pub offer: Offer,
    /// Whether primitives may be called by themselves.
    pub primitives: bool,
    /// What the text of a result has.
    pub text: TextStyle,
    /// How many bytes the value in a result may have; a larger one becomes a resource.
    pub result_bytes: usize,
    /// Recordings that clients may look into.
    pub recordings: Vec<PathBuf>,
    /// Whether the window of the browser can be seen, so that a person can do what the site asks of one.
    pub is_visible: bool,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            offer: Offer::default(),
            primitives: false,
            text: TextStyle::default(),
            result_bytes: 16 * 1024,
            recordings: Vec::new(),
            is_visible: false,
        }
    }
}

impl ServerOptions {
    /// Sets which tools are listed.
    #[must_use]
    pub fn offer(mut self, offer: Offer) -> Self {
        self.offer = offer;
        self
    }

    /// Sets whether primitives may be called by themselves.
    #[must_use]
    pub fn primitives(mut self, allowed: bool) -> Self {
        self.primitives = allowed;
        self
    }

    /// Sets what the text of a result has.
    #[must_use]
    pub fn text(mut self, text: TextStyle) -> Self {
        self.text = text;
        self
    }

    /// Sets how many bytes the value in a result may have.
    #[must_use]
    pub fn result_bytes(mut self, bytes: usize) -> Self {
        self.result_bytes = bytes;
        self
    }

    /// Sets the recordings that clients may look into.
    #[must_use]
    pub fn recordings(mut self, recordings: Vec<PathBuf>) -> Self {
        self.recordings = recordings;
        self
    }

    /// Sets whether the window of the browser can be seen.
    #[must_use]
    pub fn visible(mut self, visible: bool) -> Self {
        self.is_visible = visible;
        self
    }
}
