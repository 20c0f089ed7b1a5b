//! Cookies and storage of a context, as one JSON document.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Cookies and storage of a context, as one JSON document.
///
/// The document is a superset of the storage state that Playwright writes, so such files can be read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StorageState {
    /// Every cookie.
    #[serde(default)]
    pub cookies: Vec<Cookie>,
    /// What each origin stored.
    #[serde(default)]
    pub origins: Vec<OriginState>,
}

/// A cookie.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cookie {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// The host it belongs to; with a dot in front, its subdomains too.
    pub domain: String,
    /// The path it belongs to.
    #[serde(default = "root")]
    pub path: String,
    /// When it ends, in seconds since 1970; -1 with the session.
    #[serde(default = "session")]
    pub expires: f64,
    /// Whether scripts may not see it.
    #[serde(default)]
    pub http_only: bool,
    /// Whether it is sent over secure connections only.
    #[serde(default)]
    pub secure: bool,
    /// `Strict`, `Lax` or `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_site: Option<String>,
    /// What it is bound to, if it is partitioned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition_key: Option<PartitionKey>,
}

/// What a partitioned cookie is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", from = "PartitionKeyForms")]
pub struct PartitionKey {
    /// The site of the page in which it was set.
    pub top_level_site: String,
    /// Whether a frame of another site lay between.
    pub has_cross_site_ancestor: bool,
}

/// Some writers give the site alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum PartitionKeyForms {
    Site(String),
    #[serde(rename_all = "camelCase")]
    Whole {
        top_level_site: String,
        #[serde(default)]
        has_cross_site_ancestor: bool,
    },
}

impl From<PartitionKeyForms> for PartitionKey {
    fn from(forms: PartitionKeyForms) -> Self {
        match forms {
            PartitionKeyForms::Site(top_level_site) => Self { top_level_site, has_cross_site_ancestor: true },
            PartitionKeyForms::Whole { top_level_site, has_cross_site_ancestor } => {
                Self { top_level_site, has_cross_site_ancestor }
            }
        }
    }
}

/// What one origin stored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OriginState {
    /// The origin, such as `https://example.com`.
    pub origin: String,
    /// Its local storage.
    #[serde(default)]
    pub local_storage: Vec<StorageItem>,
    /// Its session storage, of the first page that had one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub session_storage: Vec<StorageItem>,
    /// Its databases, in the page script's own notation.
    #[serde(default, rename = "indexedDB", skip_serializing_if = "Vec::is_empty")]
    pub indexed_db: Vec<Value>,
    /// What could not be written down, one sentence each: nothing is lost in silence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsaved: Vec<String>,
}

impl OriginState {
    /// Whether the origin has stored nothing.
    pub fn is_empty(&self) -> bool {
        self.local_storage.is_empty()
            && self.session_storage.is_empty()
            && self.indexed_db.is_empty()
            && self.unsaved.is_empty()
    }
}

/// One item of a storage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StorageItem {
    /// Its key.
    pub name: String,
    /// Its value.
    pub value: String,
}

fn root() -> String {
    "/".to_owned()
}

fn session() -> f64 {
    -1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_playwright_is_read() {
        let text = r#"{
          "cookies": [{ "name": "sid", "value": "1", "domain": "example.com", "path": "/", "expires": -1,
            "httpOnly": true, "secure": true, "sameSite": "Lax", "partitionKey": "https://example.com" }],
          "origins": [{ "origin": "https://example.com", "localStorage": [{ "name": "a", "value": "b" }] }]
        }"#;
        let state: StorageState = serde_json::from_str(text).unwrap();
        assert_eq!(state.cookies[0].partition_key.as_ref().unwrap().top_level_site, "https://example.com");
        assert_eq!(state.origins[0].local_storage[0].value, "b");
        let again: StorageState = serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap();
        assert_eq!(again, state);
    }
}
