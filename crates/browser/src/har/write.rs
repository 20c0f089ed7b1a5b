//! Writes a recording as text.

use super::Har;

impl Har {
    /// The recording as JSON text.
    pub fn to_json(&self) -> String {
        // Serialising plain data with string keys cannot fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}
